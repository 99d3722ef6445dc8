#include "autograd/ops/norm.h"

#include <cmath>

#include "autograd/check.h"
#include "autograd/fused/fused.h"
#include "autograd/fused/norm.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"

namespace gradus {
using namespace detail;

namespace {

void check_epsilon(const char* op, Scalar epsilon) {
  check(epsilon >= 0 && std::isfinite(epsilon), op,
        ": epsilon must be finite and not negative, got ", epsilon, " (1e-5 is usual)");
}

}  // namespace

Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, Scalar epsilon) {
  require_defined("layer_norm", {{"x", x}, {"weight", weight}});
  check(x.rank() >= 1 && x.size(-1) > 0 && weight.shape() == Shape{x.size(-1)} &&
            (!bias.defined() || bias.shape() == weight.shape()),
        "layer_norm: needs x [..., C], weight [C] and bias [C], got x ", x.shape(), ", weight ",
        weight.shape(), ", bias ", ShapeOf{bias});
  check_epsilon("layer_norm", epsilon);
  if (uses_fused()) return fused::layer_norm(x, weight, bias, epsilon);
  const Tensor centred = x - mean(x, -1, {.keepdim = true});
  const Tensor y = centred / sqrt(variance(x, -1, {.keepdim = true}) + epsilon) * weight;
  return bias.defined() ? y + bias : y;
}

Tensor rms_norm(const Tensor& x, const Tensor& weight, Scalar epsilon) {
  require_defined("rms_norm", {{"x", x}});
  check(
      x.rank() >= 1 && x.size(-1) > 0 && (!weight.defined() || weight.shape() == Shape{x.size(-1)}),
      "rms_norm: needs x [..., C] and weight [C], got x ", x.shape(), " and weight ",
      ShapeOf{weight});
  check_epsilon("rms_norm", epsilon);
  if (uses_fused()) return fused::rms_norm(x, weight, epsilon);
  const Tensor y = x / sqrt(mean(x * x, -1, {.keepdim = true}) + epsilon);
  return weight.defined() ? y * weight : y;
}

}  // namespace gradus
