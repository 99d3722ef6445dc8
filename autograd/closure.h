/// @file
/// The closure of an op: the rule that turns the gradient of its result into those of its inputs.
///
///     Tensor y = ...;  // exp(x)
///     return record("exp", y, {x},
///                   [](const Tensor& dy, const Tensor& y) -> Gradients { return {dy * y}; });
///
/// `dy` is d loss / d y. A closure has the parameters (dy), (dy, y), (dy, wanted) or
/// (dy, y, wanted), as it needs them. It returns one gradient per input, each of its input's shape;
/// undefined where that is not Wanted. It captures what the op saves, as Saved; never `y`: y's node
/// owns the closure, so that would be a cycle, never freed. Written in tensor ops, it can be
/// differentiated again.
#pragma once

#include <span>
#include <type_traits>
#include <utility>

#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup graph
/// @{

/// One gradient for each input of an op, in their order. Undefined where none is wanted, or where
/// it was added to Wanted::sum.
using Gradients = detail::PooledVector<Tensor>;

/// What a pass wants of the closure that it calls.
struct Wanted {
  /// Whether the gradient of input i is wanted; another's need not be computed.
  bool operator[](std::size_t i) const { return i < shapes.size() && shapes[i] != nullptr; }
  /// The shape of input i, if its gradient is wanted.
  const Shape& shape(std::size_t i) const { return *shapes[i]; }

  std::span<const Shape* const> shapes = {};  ///< of the inputs; nullptr where nothing is wanted
  /// If set, the gradient of input 0 so far, which nobody else holds. A closure may add its part
  /// there and return none: so T slices of a tensor cost one full-sized gradient, not T.
  const Tensor* sum = nullptr;
};

namespace detail {

inline constinit thread_local const char* running_op = nullptr;  // the op whose closure runs
[[noreturn]] void fail_changed(const Shape& shape);

/// A closure, its type erased.
struct Closure : Pooled {
  virtual ~Closure() = default;
  virtual Gradients operator()(const Tensor& dy, const Tensor& y, const Wanted& wanted) = 0;
};

template <class F>
struct ClosureOf final : Closure {
  /// Whether f can be called with dy and these.
  template <class... More>
  static constexpr bool kTakes = std::is_invocable_v<F&, const Tensor&, const More&...>;
  static constexpr bool kTakesY = kTakes<Tensor> || kTakes<Tensor, Wanted>;
  explicit ClosureOf(F f) : f(std::move(f)) {}
  Gradients operator()(const Tensor& dy, const Tensor& y, const Wanted& wanted) override {
    if constexpr (kTakes<Tensor, Wanted>) {
      return f(dy, y, wanted);
    } else if constexpr (kTakes<Tensor>) {
      return f(dy, y);
    } else if constexpr (kTakes<Wanted>) {
      return f(dy, wanted);
    } else {
      return f(dy);
    }
  }
  F f;
};

}  // namespace detail

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

/// Whether `x` is defined and requires a gradient: what an op asks before it computes one.
inline bool wants_gradient(const Tensor& x) { return x.defined() && x.requires_grad(); }

/// x, saved for the gradient of `other`; nothing if `other` wants none.
inline Saved<Tensor> saved_for(const Tensor& other, const Tensor& x) {
  return wants_gradient(other) ? x : Tensor();
}

/// @}

}  // namespace gradus
