/// @file
/// A reference-counting pointer to objects that contain their own count.
///
/// There are many tensors and graph nodes, and they are small. So the count is part of the object
/// (no second allocation), and it is not atomic: a tensor and everything reachable from it belong
/// to one thread at a time. Inside an op, parallel_for passes raw pointers to its threads, never
/// handles.
#pragma once

#include <utility>

namespace gradus {

/// @addtogroup kernels
/// @{

/// A shared owner of a `T`. `T` has a member `int refs` (0 at first), and a function
/// `void destroy(T*)` is called when the last owner is gone.
template <class T>
class Ref {
 public:
  Ref() = default;
  /// One more owner of this object.
  explicit Ref(T* object) : object_(object) {
    if (object_ != nullptr) {
      ++object_->refs;
    }
  }
  /// One more owner.
  Ref(const Ref& other) : Ref(other.object_) {}
  /// Takes over the ownership; `other` owns nothing from then on.
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  /// Owns the object of `other`, and releases the object that it owned.
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_ != nullptr && --object_->refs == 0) {
      destroy(object_);
    }
  }

  T* get() const { return object_; }         ///< the object, or nullptr
  T* operator->() const { return object_; }  ///< a member of the object, which must be there
  T& operator*() const { return *object_; }  ///< the object, which must be there
  explicit operator bool() const { return object_ != nullptr; }  ///< whether there is one
  /// Whether this is the only owner.
  bool sole() const { return object_ != nullptr && object_->refs == 1; }

 private:
  T* object_ = nullptr;
};

/// @}

}  // namespace gradus
