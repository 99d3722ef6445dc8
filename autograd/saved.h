/// @file
/// What an op keeps for its gradient, and the check that nobody has changed it.
#pragma once

#include <utility>

#include "autograd/shape.h"

namespace gradus {

namespace detail {

extern constinit thread_local const char* running_op;  // the op whose closure runs
[[noreturn]] void fail_changed(const Shape& shape);

}  // namespace detail

/// @addtogroup graph
/// @{

/// What an op saves for its gradient: a Tensor or IndexTensor, as it is now. A closure that reads
/// it when the elements have been changed since is an error, which names the op.
template <class T>
class Saved {
 public:
  /// Nothing.
  Saved() = default;
  /// Keeps x, which may be undefined.
  Saved(T x) : x_(std::move(x)), version_(x_.defined() ? x_.version() : 0) {}  // NOLINT
  /// @throws std::invalid_argument if the elements have changed.
  void verify() const {
    if (x_.defined() && x_.version() != version_) [[unlikely]] {
      detail::fail_changed(x_.shape());
    }
  }
  /// What is kept, unchanged.
  operator const T&() const { return *operator->(); }  // NOLINT(google-explicit-constructor)
  /// Its members.
  const T* operator->() const {
    verify();
    return &x_;
  }

 private:
  T x_;
  unsigned version_ = 0;
};

/// @}

}  // namespace gradus
