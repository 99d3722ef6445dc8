/// @file
/// Parts of elementwise ops: loops, and gradients in one pass over memory that can still be
/// differentiated again.
#pragma once

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/loops.h"

namespace gradus {

/// @addtogroup graph
/// @{

/// Computes y = f(x) for each element. Errors begin with `op`.
template <class F>
Tensor elementwise(const char* op, const Tensor& x, F f) {
  detail::require_defined(op, {{"x", x}});
  Tensor y(x.shape());
  detail::map(x.size(), x.data(), y.mutable_data(), f);
  return y;
}

/// Computes y = f(a, b) for each pair of elements, broadcast. Errors begin with `op`.
template <class F>
Tensor combine(const char* op, const Tensor& a, const Tensor& b, F f) {
  detail::require_defined(op, {{"a", a}, {"b", b}});
  Tensor y(broadcast_shapes(op, a.shape(), b.shape()));
  detail::broadcast_map(y.shape(), a.shape(), a.data(), b.shape(), b.data(), y.mutable_data(), f);
  return y;
}

/// Computes dx = formula(dy, v) elementwise. dy is a gradient, and v is a tensor that the op saved:
/// its argument or its result. The formula must be generic. It is called with numbers, in one pass
/// over memory; or with tensors if the backward pass is itself recorded, so that dx has a gradient.
///
///     one_pass(dy, y, [](auto dy, auto y) { return dy * (1 - y * y); })  // tanh's gradient
///
/// @param dy,v of one shape
template <class Formula>
Tensor one_pass(const Tensor& dy, const Tensor& v, Formula formula) {
  detail::check(dy.shape() == v.shape(), "one_pass: needs one shape, got ", dy.shape(), " and ",
                v.shape());
  if (is_recording()) return formula(dy, v);
  Tensor dx(dy.shape());
  detail::map(dy.size(), dy.data(), v.data(), dx.mutable_data(), formula);
  return dx;
}

/// Computes dx = choice(dy, v) elementwise. `choice` returns dy times a constant that depends on
/// the value of v (for relu, 1 or 0). dx is linear in dy, and its slope in v is 0, so its gradient
/// is by_case() again. dx is not dy times a mask, because 0 times an infinite dy would be NaN.
///
///     by_case("relu gradient", dy, y, [](Scalar dy, Scalar y) { return y > 0 ? dy : 0; })
///
/// @param op a name for the node in the graph of the gradient
/// @param dy,v of one shape
template <class Choice>
Tensor by_case(const char* op, const Tensor& dy, const Tensor& v, Choice choice) {
  detail::check(dy.shape() == v.shape(), op, ": needs one shape, got ", dy.shape(), " and ",
                v.shape());
  Tensor dx(dy.shape());
  detail::map(dy.size(), dy.data(), v.data(), dx.mutable_data(), choice);
  return record(op, dx, {dy}, [op, v = Saved(v.detach()), choice](const Tensor& ddx) {
    return by_case(op, ddx, v, choice);
  });
}

/// @}

namespace detail {

// Ops of one tensor, y = f(x), grouped by the tensor that they save for the gradient.

/// Records y = f(x) with dx = formula(dy): nothing is saved.
template <class F, class Formula>
Tensor saves_nothing(const char* op, const Tensor& x, F f, Formula formula) {
  return record(op, elementwise(op, x, f), {x},
                [formula](const Tensor& dy) { return formula(dy); });
}

/// Records y = f(x) with dx = formula(dy, y), a formula for one_pass().
template <class F, class Formula>
Tensor saves_result(const char* op, const Tensor& x, F f, Formula formula) {
  return record(op, elementwise(op, x, f), {x},
                [formula](const Tensor& dy, const Tensor& y) { return one_pass(dy, y, formula); });
}

/// Records y = f(x) with dx = formula(dy, x), a formula for one_pass().
template <class F, class Formula>
Tensor saves_argument(const char* op, const Tensor& x, F f, Formula formula) {
  return record(op, elementwise(op, x, f), {x},
                [x = Saved(x), formula](const Tensor& dy) { return one_pass(dy, x, formula); });
}

}  // namespace detail
}  // namespace gradus
