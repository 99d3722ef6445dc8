#include "autograd/ops/activation.h"

#include <cmath>
#include <numbers>

#include "autograd/fused/gelu.h"
#include "autograd/graph.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/vector_math.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/one_pass.h"

namespace gradus {
namespace {

/// y = f(x), elementwise; the gradient is dy f'(x), by a kernel that cannot be differentiated
/// again: for ops whose slope takes vector maths of its own, which tensor ops do not have, or whose
/// composition serves second derivatives.
template <class F, class Slope>
Tensor activate(const char* op, const char* composed, const Tensor& x, F f, Slope slope) {
  Tensor y = elementwise(op, x, f);
  // saved: x
  return record(op, y, {x}, [op, composed, x = x.detach(), slope](const Tensor& dy) -> Gradients {
    once_only(op, composed);
    Tensor dx(x.shape());
    map(x.size(), x.data(), dy.data(), dx.data(),
        [slope](Scalar v, Scalar d) { return d * slope(v); });
    return {dx};
  });
}

}  // namespace

Tensor relu_squared(const Tensor& x) {
  const auto rectified = [](Scalar v) { return v < 0 ? Scalar(0) : v; };
  return activate(
      "relu_squared", "relu(x) * relu(x)", x, [=](Scalar v) { return rectified(v) * rectified(v); },
      [=](Scalar v) { return 2 * rectified(v); });
}

Tensor gelu(const Tensor& x) {
  return activate(
      "gelu", "gelu_composed", x, [](Scalar v) { return gelu_of(v); },
      [](Scalar v) { return gelu_slope_of(v); });
}

Tensor gelu_composed(const Tensor& x) {
  require_defined("gelu_composed", {{"x", x}});
  const Scalar scale = static_cast<Scalar>(std::sqrt(2 * std::numbers::inv_pi));
  const Tensor inner = scale * (x + Scalar(0.044715) * (x * x * x));
  return Scalar(0.5) * x * (1 + tanh(inner));
}

Tensor gelu_erf(const Tensor& x) {
  constexpr Scalar kInverseRoot2 = static_cast<Scalar>(1 / std::numbers::sqrt2);
  static const Scalar density_at_0 = static_cast<Scalar>(1 / std::sqrt(2 * std::numbers::pi));
  return activate(
      "gelu_erf", "gelu_composed, its tanh form", x,
      [=](Scalar v) { return Scalar(0.5) * v * (1 + erf_of(v * kInverseRoot2)); },
      [=, density_at_0 = density_at_0](Scalar v) {
        return Scalar(0.5) * (1 + erf_of(v * kInverseRoot2)) +
               v * density_at_0 * exp_of(Scalar(-0.5) * v * v);
      });
}

Tensor silu(const Tensor& x) {
  return activate(
      "silu", "x * sigmoid(x)", x, [](Scalar v) { return v * sigmoid_of(v); },
      [](Scalar v) {
        const Scalar s = sigmoid_of(v);
        return s * (1 + v * (1 - s));
      });
}

}  // namespace gradus
