#include "autograd/more/activation.h"

#include <numbers>

#include "autograd/fused/activation.h"
#include "autograd/fused/fused.h"
#include "autograd/kernels/vector_math.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/one_pass.h"

namespace gradus {
using namespace detail;
namespace {

/// The share of the normal distribution below x. Gradient: dx = dy e^(-x^2 / 2) / sqrt(2 pi).
Tensor normal_share(const Tensor& x) {
  constexpr Scalar kInverseRoot2 = static_cast<Scalar>(1 / std::numbers::sqrt2);
  constexpr Scalar kDensityAt0 = static_cast<Scalar>(0.3989422804014327);
  Tensor y = elementwise("normal_share", x,
                         [](Scalar v) { return Scalar(0.5) * (1 + erf_of(v * kInverseRoot2)); });
  return record("normal_share", y, {x}, [x = Saved(x)](const Tensor& dy) -> Gradients {
    return {dy * (kDensityAt0 * exp(Scalar(-0.5) * x * x))};
  });
}

}  // namespace

Tensor relu_squared(const Tensor& x) {
  require_defined("relu_squared", {{"x", x}});
  return uses_fused() ? fused::relu_squared(x) : relu(x) * relu(x);
}

Tensor gelu_erf(const Tensor& x) {
  require_defined("gelu_erf", {{"x", x}});
  return uses_fused() ? fused::gelu_erf(x) : x * normal_share(x);
}

Tensor silu(const Tensor& x) {
  require_defined("silu", {{"x", x}});
  return uses_fused() ? fused::silu(x) : x * sigmoid(x);
}

}  // namespace gradus
