#include "autograd/ops/activation.h"

#include <cmath>
#include <numbers>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/vector_math.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/one_pass.h"
#include "autograd/ops/two_paths.h"

namespace gradus {
using namespace detail;
namespace {

/// Computes y = f(x) elementwise, with the gradient dy f'(x), in one loop each. `composed` is the
/// op itself, which computes the gradient if the backward pass is recorded.
template <class F, class Slope>
Tensor activate(const char* op, Tensor (*composed)(const Tensor&), const Tensor& x, F f,
                Slope slope) {
  Tensor y(x.shape());
  map(x.size(), x.data(), y.mutable_data(), f);
  return record(op, y, {x}, [=, x = Saved(x)](const Tensor& dy) {
    if (is_recording()) return composed_gradient(dy, x, composed);
    Tensor dx(x->shape());
    map(x->size(), x->data(), dy.data(), dx.mutable_data(),
        [slope](Scalar v, Scalar d) { return d * slope(v); });
    return dx;
  });
}

// tanh(u) = 2 sigmoid(2 u) - 1, so x / 2 (1 + tanh(u)) = x sigmoid(2 u): one exponential, one
// division.
constexpr Scalar kGeluScale = static_cast<Scalar>(1.5957691216057308);  // 2 sqrt(2 / pi)
constexpr Scalar kGeluCubic = static_cast<Scalar>(0.044715);            // the factor of x^3

/// d gelu(x) / dx. With s = sigmoid(v(x)) it is s + x s (1 - s) v'(x).
[[gnu::always_inline]] inline Scalar gelu_slope_of(Scalar far) {
  // Beyond 30, s is 0 or 1 to the last bit, but x^2 might overflow, and 0 * inf is NaN.
  const Scalar x = far < -30 ? Scalar(-30) : far > 30 ? Scalar(30) : far;
  const Scalar s = sigmoid_of(kGeluScale * (x + kGeluCubic * x * x * x));
  return s + x * s * (1 - s) * kGeluScale * (1 + 3 * kGeluCubic * x * x);
}

constexpr Scalar kInverseRoot2 = static_cast<Scalar>(1 / std::numbers::sqrt2);
constexpr Scalar kDensityAt0 = static_cast<Scalar>(0.3989422804014327);  // 1 / sqrt(2 pi)

[[gnu::always_inline]] inline Scalar rectified(Scalar v) { return v < 0 ? Scalar(0) : v; }

/// The normal distribution function of x. Gradient: dx = dy e^(-x^2 / 2) / sqrt(2 pi).
Tensor normal_share(const Tensor& x) {
  Tensor y = elementwise("normal_share", x,
                         [](Scalar v) { return Scalar(0.5) * (1 + erf_of(v * kInverseRoot2)); });
  return record("normal_share", y, {x}, [x = Saved(x)](const Tensor& dy) {
    return dy * (kDensityAt0 * exp(Scalar(-0.5) * x * x));
  });
}

}  // namespace

Tensor tanh(const Tensor& x) {
  return saves_result(
      "tanh", x, [](Scalar v) { return tanh_of(v); },
      [](auto dy, auto y) { return dy * (1 - y * y); });
}

Tensor sigmoid(const Tensor& x) {
  return saves_result(
      "sigmoid", x, [](Scalar v) { return sigmoid_of(v); },
      [](auto dy, auto y) { return dy * (y * (1 - y)); });
}

Tensor relu(const Tensor& x) {
  Tensor y = elementwise("relu", x, [](Scalar v) { return v < 0 ? Scalar(0) : v; });
  return record("relu", y, {x}, [](const Tensor& dy, const Tensor& y) {
    return by_case("relu gradient", dy, y, [](Scalar dy, Scalar y) { return y > 0 ? dy : 0; });
  });
}

Tensor gelu(const Tensor& x) {
  require_defined("gelu", {{"x", x}});
  if (uses_fused()) {
    const auto f = [](Scalar v) {
      return v * sigmoid_of(kGeluScale * (v + kGeluCubic * v * v * v));
    };
    return activate("gelu", gelu, x, f, [](Scalar v) { return gelu_slope_of(v); });
  }
  const Scalar scale = static_cast<Scalar>(std::sqrt(2 * std::numbers::inv_pi));
  const Tensor v = clamp(x, -30, 30);  // beyond, tanh is 1 to the last bit, and v^3 may overflow
  const Tensor u = scale * (v + Scalar(0.044715) * (v * v * v));
  return Scalar(0.5) * x * (1 + tanh(u));
}

Tensor relu_squared(const Tensor& x) {
  require_defined("relu_squared", {{"x", x}});
  if (!uses_fused()) return relu(x) * relu(x);
  return activate(
      "relu_squared", relu_squared, x, [](Scalar v) { return rectified(v) * rectified(v); },
      [](Scalar v) { return 2 * rectified(v); });
}

Tensor gelu_erf(const Tensor& x) {
  require_defined("gelu_erf", {{"x", x}});
  if (!uses_fused()) return x * normal_share(x);
  return activate(
      "gelu_erf", gelu_erf, x,
      [](Scalar v) { return Scalar(0.5) * v * (1 + erf_of(v * kInverseRoot2)); },
      [](Scalar v) {
        return Scalar(0.5) * (1 + erf_of(v * kInverseRoot2)) +
               v * kDensityAt0 * exp_of(Scalar(-0.5) * v * v);
      });
}

Tensor silu(const Tensor& x) {
  require_defined("silu", {{"x", x}});
  if (!uses_fused()) return x * sigmoid(x);
  return activate(
      "silu", silu, x, [](Scalar v) { return v * sigmoid_of(v); },
      [](Scalar v) {
        const Scalar s = sigmoid_of(v);
        return s * (1 + v * (1 - s));
      });
}

}  // namespace gradus
