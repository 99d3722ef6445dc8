#include "nn/layers/norm.h"

#include <cmath>
#include <numeric>

#include "autograd/check.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/norm.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"

namespace gradus {
using namespace detail;
namespace {

/// running = (1 - share) running + share x, in place.
void update_average(const Tensor& running, const Tensor& x, Scalar share) {
  for (Index i = 0; i < running.size(); ++i) {
    running.mutable_data()[i] += share * (x.data()[i] - running.data()[i]);
  }
}

}  // namespace

LayerNorm::LayerNorm(Index channels, bool with_bias, Scalar epsilon)
    : weight(ones({channels}).set_requires_grad()), epsilon(epsilon) {
  if (with_bias) {
    bias = zeros({channels}).set_requires_grad();
  }
}

Tensor LayerNorm::operator()(const Tensor& x) const {
  require_made("LayerNorm", weight.defined());
  return layer_norm(x, weight, bias, epsilon);
}

RmsNorm::RmsNorm(Index channels, Scalar epsilon)
    : weight(ones({channels}).set_requires_grad()), epsilon(epsilon) {}

Tensor RmsNorm::operator()(const Tensor& x) const {
  require_made("RmsNorm", weight.defined());
  return rms_norm(x, weight, epsilon);
}

BatchNorm::BatchNorm(Index channels, Scalar epsilon)
    : weight(ones({channels}).set_requires_grad()),
      bias(zeros({channels}).set_requires_grad()),
      running_mean(zeros({channels})),
      running_var(ones({channels})),
      epsilon(epsilon) {}

Tensor BatchNorm::operator()(const Tensor& x) const {
  require_made("BatchNorm", weight.defined());
  const Index channels = weight.size();
  check(x.rank() >= 1 && x.size(-1) == channels, "batch_norm: needs x [..., ", channels, "], got ",
        x.shape());
  check(epsilon >= 0 && std::isfinite(epsilon),
        "batch_norm: epsilon must be finite and not negative, got ", epsilon, " (1e-5 is usual)");
  check(momentum >= 0 && momentum <= 1, "batch_norm: momentum must be in [0, 1], got ", momentum);
  if (!Training::active()) {
    return (x - running_mean) / sqrt(running_var + epsilon) * weight + bias;
  }
  const Tensor rows = reshape(x, {-1, channels});  // [N, C]
  const Tensor mean = gradus::mean(rows, {0}), var = variance(rows, {0});
  const Index n = rows.size(0);
  check(n >= 2, "batch_norm: needs two vectors or more to train on, got ", x.shape());
  update_average(running_mean, mean, momentum);
  const Scalar unbiased = static_cast<Scalar>(n) / static_cast<Scalar>(n - 1);
  update_average(running_var, var.detach() * unbiased, momentum);
  return reshape((rows - mean) / sqrt(var + epsilon) * weight + bias, x.shape());
}

Norm::Norm(NormKind chosen, Index channels, bool with_bias, Scalar epsilon) {
  switch (chosen) {
    case NormKind::kLayer:
      kind = LayerNorm(channels, with_bias, epsilon);
      break;
    case NormKind::kRms:
      kind = RmsNorm(channels, epsilon);
      break;
    case NormKind::kBatch:
      kind = BatchNorm(channels, epsilon);
      break;
  }
}

Tensor Norm::operator()(const Tensor& x) const {
  return std::visit([&](const auto& norm) { return norm(x); }, kind);
}

}  // namespace gradus
