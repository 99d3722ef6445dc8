/// @file
/// What elementwise ops are made of: loops, and gradients in one pass over memory that can be
/// differentiated all the same.
#pragma once

#include <cassert>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/loops.h"
#include "autograd/ops/reduce.h"

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

/// What `gradient()` returns as the gradient of input i, broadcasting undone; none if it is not
/// wanted.
template <class F>
Tensor share(const Wanted& wanted, std::size_t i, F gradient) {
  return wanted[i] ? sum_to(gradient(), wanted.shape(i)) : Tensor();
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
  assert(dy.shape() == v.shape());
  if (is_recording()) {
    return formula(dy, v);
  }
  Tensor dx(dy.shape());
  detail::map(dy.size(), dy.data(), v.data(), dx.mutable_data(), formula);
  return dx;
}

/// dx = choice(dy, v), elementwise, for a choice among multiples of dy by what v is: linear in dy,
/// and without a slope in v, it is its own gradient.
///
///     by_case("relu gradient", dy, y, [](Scalar dy, Scalar y) { return y > 0 ? dy : 0; })
///
/// @param op a name for the graph of the gradient
/// @param dy,v of one shape
template <class Choice>
Tensor by_case(const char* op, const Tensor& dy, const Tensor& v, Choice choice) {
  assert(dy.shape() == v.shape());
  Tensor dx(dy.shape());
  detail::map(dy.size(), dy.data(), v.data(), dx.mutable_data(), choice);
  return record(op, dx, {dy}, [op, v = Saved(v.detach()), choice](const Tensor& ddx) -> Gradients {
    return {by_case(op, ddx, v, choice)};
  });
}

/// @}

}  // namespace gradus
