#include "nn/models/gpt_classifier.h"

#include "autograd/check.h"
#include "autograd/ops/index.h"
#include "autograd/ops/shape.h"

namespace gradus {
using namespace detail;

GptClassifier::GptClassifier(Gpt pretrained, Index n_labels, std::uint64_t seed)
    : gpt(std::move(pretrained)) {
  check(n_labels >= 2, "gpt classifier: needs two labels or more, got ", n_labels);
  KeySequence keys(seed);
  score = Linear(gpt.config.n_embd, n_labels, keys, /*with_bias=*/false);
  if (gpt.lm_head.defined()) {
    gpt.lm_head.set_requires_grad(false);  // it would never have a gradient
  }
}

Tensor GptClassifier::operator()(const IndexTensor& tokens, const IndexTensor& lengths) const {
  check(tokens.rank() == 2 && lengths.shape() == Shape{tokens.size(0)},
        "gpt classifier: needs tokens [B, T] and lengths [B], got ", tokens.shape(), " and ",
        lengths.shape());
  const Index b = tokens.size(0), t = tokens.size(1);
  IndexTensor last(Shape{b});  // rows of the features as [B T, C]
  for (Index i = 0; i < b; ++i) {
    const std::int32_t length = lengths.data()[i];
    check(length >= 1 && length <= t, "gpt classifier: text ", i, " has length ", length,
          ", which must be from 1 to ", t);
    last.mutable_data()[i] = static_cast<std::int32_t>(i * t + length - 1);
  }
  const Tensor features = reshape(gpt.features(tokens), {b * t, gpt.config.n_embd});
  return score(embedding(last, features));
}

}  // namespace gradus
