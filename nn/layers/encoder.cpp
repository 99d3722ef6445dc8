#include "nn/layers/encoder.h"

#include "autograd/check.h"
#include "autograd/ops/arithmetic.h"

namespace gradus {
using namespace detail;
namespace {

/// The initial standard deviation of learned position vectors. It is small compared with the
/// embeddings' 1, so that the vectors do not hide the tokens.
constexpr Scalar kLearnedSpread = Scalar(0.1);

}  // namespace

void LayerOptions::validate() const {
  check(d_model >= 1 && num_heads >= 1 && d_model % num_heads == 0,
        "layers: d_model must be a multiple of num_heads, got ", d_model, " and ", num_heads);
  check(position != Position::kRotary || d_model / num_heads % 2 == 0,
        "layers: rotary positions need an even number of channels in each head, got ",
        d_model / num_heads, " (choose another d_model or num_heads)");
  check(dropout >= 0 && dropout < 1, "layers: dropout must be in [0, 1), got ", dropout);
  check(epsilon > 0, "layers: epsilon must be above 0, got ", epsilon);
  check(max_length >= 1, "layers: max_length must be at least 1, got ", max_length);
  check(d_ff >= 0, "layers: d_ff must not be negative, got ", d_ff);
}

PositionalEncoding LayerOptions::make_positions(bool both_ways, KeySequence& keys) const {
  return PositionalEncoding({.kind = position,
                             .max_length = max_length,
                             .channels = d_model,
                             .heads = num_heads,
                             .both_ways = both_ways,
                             .scale = position == Position::kLearned ? kLearnedSpread : Scalar(1)},
                            keys);
}

MultiHeadAttention LayerOptions::make_attention(KeySequence& keys) const {
  return MultiHeadAttention(d_model, num_heads, keys, {}, bias, dropout);
}

FeedForward LayerOptions::make_feed_forward(KeySequence& keys) const {
  return FeedForward(d_model, inner(), keys, bias, dropout, activation);
}

EncoderLayer::EncoderLayer(const LayerOptions& options, const Tensor& angles, KeySequence& keys)
    : norm_1(options.make_norm()),
      self_attention(options.make_attention(keys)),
      norm_2(options.make_norm()),
      feed_forward(options.make_feed_forward(keys)),
      dropout{options.dropout},
      norm_place(options.norm_place) {
  self_attention.angles = angles;
}

Tensor EncoderLayer::operator()(const Tensor& x, const AttentionOptions& options) const {
  require_made("EncoderLayer", self_attention.query.is_made());
  const Tensor y = residual(x, norm_1, norm_place, [&](const Tensor& x) {
    return dropout(self_attention(x, x, options));
  });
  return residual(y, norm_2, norm_place, feed_forward);
}

Encoder::Encoder(const LayerOptions& given, int n, KeySequence& keys) : options(given) {
  options.validate();
  check(n >= 1, "encoder: needs at least 1 layer, got ", n);
  positions = options.make_positions(true, keys);
  for (int i = 0; i < n; ++i) {
    layers.emplace_back(options, positions.angles, keys);
  }
  norm = options.make_norm();
}

Tensor Encoder::operator()(const Tensor& x, const IndexTensor& mask) const {
  require_made("Encoder", !layers.empty());
  return run(dropout_in_training(positions.embed(x), options.dropout), mask);
}

Tensor Encoder::run(const Tensor& x, const IndexTensor& mask) const {
  require_made("Encoder", !layers.empty());
  const AttentionOptions attention{.mask = mask, .bias = positions.bias(x.size(1), x.size(1))};
  Tensor y = x;
  for (const EncoderLayer& layer : layers) {
    y = layer(y, attention);
  }
  return options.norm_place == NormPlace::kPre ? norm(y) : y;
}

}  // namespace gradus
