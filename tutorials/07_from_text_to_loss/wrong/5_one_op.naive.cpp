// rejected: subtract each row's largest logit first
#include "tutorials/07_from_text_to_loss/exercises.h"

Tensor cross_entropy_op(const Tensor& logits, const IndexTensor& targets) {
  const Index n = logits.size(0), vocab = logits.size(1);
  Tensor g(logits.shape());
  Scalar total = 0;
  for (Index i = 0; i < n; ++i) {
    Scalar all = 0;
    for (Index j = 0; j < vocab; ++j) all += std::exp(logits.data()[i * vocab + j]);
    for (Index j = 0; j < vocab; ++j) {
      g.mutable_data()[i * vocab + j] = std::exp(logits.data()[i * vocab + j]) / all;
    }
    total -= std::log(g.data()[i * vocab + targets.data()[i]]);
    g.mutable_data()[i * vocab + targets.data()[i]] -= 1;
  }
  return record("cross_entropy", scalar(total / Scalar(n)), {logits},
                [=](const Tensor& dy) -> Gradients { return {g * (dy.item() / Scalar(n))}; });
}
