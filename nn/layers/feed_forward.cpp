#include "nn/layers/feed_forward.h"

#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/shape.h"

namespace gradus {

Tensor activate(const Tensor& x, Activation activation) {
  const auto gated = [&](Tensor (*f)(const Tensor&)) {
    const std::vector<Tensor> halves = split(x, 2, -1);
    return f(halves[0]) * halves[1];
  };
  switch (activation) {
    case Activation::kGelu:
      return gelu(x);
    case Activation::kReluSquared:
      return relu_squared(x);
    case Activation::kRelu:
      return relu(x);
    case Activation::kGeluErf:
      return gelu_erf(x);
    case Activation::kSilu:
      return silu(x);
    case Activation::kGlu:
      return gated(sigmoid);
    case Activation::kReGlu:
      return gated(relu);
    case Activation::kGeGlu:
      return gated(gelu);
    case Activation::kSwiGlu:
      return gated(silu);
  }
  return x;
}

namespace {

/// The number of channels that an activation needs to give `hidden` channels.
Index width_before(Activation activation, Index hidden) {
  detail::check_width("FeedForward", hidden);
  return is_gated(activation) ? 2 * hidden : hidden;
}

}  // namespace

FeedForward::FeedForward(Index channels, Index hidden, KeySequence& keys, bool with_bias,
                         Scalar dropout, Activation activation)
    : c_fc(channels, width_before(activation, hidden), keys, with_bias),
      c_proj(hidden, channels, keys, with_bias),
      dropout{dropout},
      activation(activation) {}

Tensor FeedForward::operator()(const Tensor& x) const {
  detail::require_made("FeedForward", c_fc.is_made());
  return dropout(c_proj(activate(c_fc(x), activation)));
}

}  // namespace gradus
