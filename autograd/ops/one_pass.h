/// @file
/// What elementwise ops are made of: loops, and gradients in one pass over memory that can be
/// differentiated all the same.
#pragma once

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/loops.h"

namespace gradus {

/// @addtogroup graph
/// @{

/// y = f(x) for each element: what `op` does.
template <class F>
Tensor elementwise(const char* op, const Tensor& x, F f) {
  detail::require_defined(op, {{"x", x}});
  Tensor y(x.shape());
  detail::map(x.size(), x.data(), y.mutable_data(), f);
  return y;
}

/// y = f(a, b) for each pair of elements, broadcast: what `op` does.
template <class F>
Tensor combine(const char* op, const Tensor& a, const Tensor& b, F f) {
  detail::require_defined(op, {{"a", a}, {"b", b}});
  Tensor y(broadcast_shapes(op, a.shape(), b.shape()));
  detail::broadcast_map(y.shape(), a.shape(), a.data(), b.shape(), b.data(), y.mutable_data(), f);
  return y;
}

/// dx = formula(dy, v), elementwise, where dy is a gradient and v a tensor that its op saved, its
/// argument or its result. A generic formula serves twice: with numbers, in one pass, and with
/// tensors where the pass is itself recorded, so that it has a gradient.
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

/// dx = choice(dy, v), elementwise, where `choice` picks dy times a constant by the value of v (of
/// relu, 1 or 0). That is linear in dy and flat in v, so its gradient is by_case() again. Not dy
/// times a mask: 0 times an infinite dy would be NaN.
///
///     by_case("relu gradient", dy, y, [](Scalar dy, Scalar y) { return y > 0 ? dy : 0; })
///
/// @param op a name for the graph of the gradient
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

// Ops of one tensor, y = f(x), by what their gradients need.

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
