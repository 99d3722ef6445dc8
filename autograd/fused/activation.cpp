#include "autograd/fused/activation.h"

#include <numbers>

#include "autograd/fused/fused.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/vector_math.h"
#include "autograd/more/activation.h"
#include "autograd/ops/elementwise.h"

namespace gradus::fused {
using namespace detail;
namespace {

/// y = f(x), elementwise, with the gradient dy f'(x). `composed` is the op itself.
template <class F, class Slope>
Tensor activate(const char* op, Tensor (*composed)(const Tensor&), const Tensor& x, F f,
                Slope slope) {
  Tensor y(x.shape());
  map(x.size(), x.data(), y.mutable_data(), f);
  // saved: x
  return record(op, y, {x}, [=, x = Saved(x)](const Tensor& dy, const Wanted& wanted) -> Gradients {
    if (is_recording()) {
      return detail::composed_gradients(dy, wanted, {x},
                                        [=](const auto& in) { return composed(in[0]); });
    }
    Tensor dx(x->shape());
    map(x->size(), x->data(), dy.data(), dx.mutable_data(),
        [slope](Scalar v, Scalar d) { return d * slope(v); });
    return {dx};
  });
}

// tanh(u) = 2 sigmoid(2 u) - 1, so x / 2 (1 + tanh(u)) = x sigmoid(2 u): one exponential, one
// division.
constexpr Scalar kGeluScale = static_cast<Scalar>(1.5957691216057308);  // 2 sqrt(2 / pi)
constexpr Scalar kGeluCubic = static_cast<Scalar>(0.044715);            // of x^3

/// d gelu(x) / dx. With s = sigmoid(v(x)) it is s + x s (1 - s) v'(x).
[[gnu::always_inline]] inline Scalar gelu_slope_of(Scalar far) {
  // Beyond 30 s is 0 or 1 to the last bit, while x^2 might overflow and 0 * inf is NaN.
  const Scalar x = far < -30 ? Scalar(-30) : far > 30 ? Scalar(30) : far;
  const Scalar s = sigmoid_of(kGeluScale * (x + kGeluCubic * x * x * x));
  return s + x * s * (1 - s) * kGeluScale * (1 + 3 * kGeluCubic * x * x);
}

constexpr Scalar kInverseRoot2 = static_cast<Scalar>(1 / std::numbers::sqrt2);
constexpr Scalar kDensityAt0 = static_cast<Scalar>(0.3989422804014327);  // 1 / sqrt(2 pi)

[[gnu::always_inline]] inline Scalar rectified(Scalar v) { return v < 0 ? Scalar(0) : v; }

}  // namespace

Tensor relu_squared(const Tensor& x) {
  return activate(
      "relu_squared", gradus::relu_squared, x, [](Scalar v) { return rectified(v) * rectified(v); },
      [](Scalar v) { return 2 * rectified(v); });
}

Tensor gelu(const Tensor& x) {
  return activate(
      "gelu", gradus::gelu, x,
      [](Scalar v) { return v * sigmoid_of(kGeluScale * (v + kGeluCubic * v * v * v)); },
      [](Scalar v) { return gelu_slope_of(v); });
}

Tensor gelu_erf(const Tensor& x) {
  return activate(
      "gelu_erf", gradus::gelu_erf, x,
      [](Scalar v) { return Scalar(0.5) * v * (1 + erf_of(v * kInverseRoot2)); },
      [](Scalar v) {
        return Scalar(0.5) * (1 + erf_of(v * kInverseRoot2)) +
               v * kDensityAt0 * exp_of(Scalar(-0.5) * v * v);
      });
}

Tensor silu(const Tensor& x) {
  return activate(
      "silu", gradus::silu, x, [](Scalar v) { return v * sigmoid_of(v); },
      [](Scalar v) {
        const Scalar s = sigmoid_of(v);
        return s * (1 + v * (1 - s));
      });
}

}  // namespace gradus::fused
