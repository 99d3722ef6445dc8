/// @file
/// A counting pointer for objects that carry their own count.
///
/// Tensors and graph nodes are many and small, so the count lives in the object (no second
/// allocation) and is not atomic: a tensor and everything reachable from it belongs to one thread
/// at a time. Inside an op, parallel_for hands raw pointers to its threads, never handles.
#pragma once

#include <utility>

namespace gradus {

/// @addtogroup kernels
/// @{

/// A shared owner of a `T`, which has a member `int refs` (0 at first) and a function
/// `void destroy(T*)` that is called when the last owner goes.
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
  /// Takes the ownership over; `other` owns nothing from then on.
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  /// Owns what `other` owned, and lets go of what it owned itself.
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
