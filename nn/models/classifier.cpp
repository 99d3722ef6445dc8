#include "nn/models/classifier.h"

#include <algorithm>

#include "autograd/check.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"

namespace gradus {
using namespace detail;

Tensor masked_mean(const Tensor& x, const IndexTensor& visible) {
  const Index b = x.size(0), t = x.size(1);
  check(visible.shape() == Shape{b, t}, "masked_mean: needs x [B, T, C] and visible [B, T], got ",
        x.shape(), " and ", visible.shape());
  Tensor shares(Shape{b, 1, t});  // 1 / (number of unmasked positions), or 0
  for (Index i = 0; i < b; ++i) {
    const std::int32_t* row = visible.data() + i * t;
    const auto count = static_cast<Scalar>(t - std::count(row, row + t, 0));
    for (Index j = 0; j < t; ++j) {
      shares.mutable_data()[i * t + j] = row[j] != 0 ? 1 / count : Scalar(0);
    }
  }
  return reshape(matmul(shares, x), {b, x.size(2)});
}

SequenceClassifier::SequenceClassifier(const ClassifierConfig& given, std::uint64_t seed)
    : config(given) {
  check(config.vocab_size >= 1 && config.n_labels >= 2,
        "classifier: needs at least 1 token and 2 labels, got ", config.vocab_size, " and ",
        config.n_labels);
  KeySequence keys(seed);
  embed = Embedding(config.vocab_size, config.layer.d_model, keys);
  encoder = Encoder(config.layer, config.n_layer, keys);
  head = Linear(config.layer.d_model, config.n_labels, keys);
  freeze_embed(config.frozen_embed);
}

void SequenceClassifier::freeze_embed(bool frozen) {
  config.frozen_embed = frozen;
  embed.weight.set_requires_grad(!frozen);
}

Tensor SequenceClassifier::operator()(const IndexTensor& tokens, std::int32_t padding) const {
  require_made("SequenceClassifier", embed.weight.defined());
  const IndexTensor mask = padding_mask(tokens, padding);
  const Tensor x = encoder(embed(tokens), mask);
  return head(masked_mean(x, mask.reshape(tokens.shape())));
}

}  // namespace gradus
