// rejected: argument 1 has changed
#include "tutorials/07_from_text_to_loss/exercises.h"

Tensor cross_entropy_op(const Tensor& logits, const IndexTensor& targets) {
  const Index n = logits.size(0), vocab = logits.size(1);
  const Tensor log_p = log_softmax(logits.detach());
  Scalar total = 0;
  for (Index i = 0; i < n; ++i) total -= log_p.data()[i * vocab + targets.data()[i]];
  Tensor p = logits.detach();  // a handle to the same numbers
  std::transform(log_p.begin(), log_p.end(), p.mutable_data(),
                 [](Scalar v) { return std::exp(v); });
  for (Index i = 0; i < n; ++i) p.mutable_data()[i * vocab + targets.data()[i]] -= 1;
  return record("cross_entropy", scalar(total / Scalar(n)), {logits},
                [=](const Tensor& dy) -> Gradients { return {p * (dy.item() / Scalar(n))}; });
}
