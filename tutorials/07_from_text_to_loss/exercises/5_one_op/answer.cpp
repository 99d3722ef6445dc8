// The loss from log_softmax, without its node; the gradient (p - y) / N, times dy.
#include "tutorials/07_from_text_to_loss/exercises.h"

Tensor cross_entropy_op(const Tensor& logits, const IndexTensor& targets) {
  const Index n = logits.size(0), vocab = logits.size(1);
  const Tensor log_p = log_softmax(logits.detach());
  Scalar total = 0;
  for (Index i = 0; i < n; ++i) total -= log_p.data()[i * vocab + targets.data()[i]];
  return record("cross_entropy", scalar(total / Scalar(n)), {logits},
                [=](const Tensor& dy) -> Gradients {
                  Tensor dlogits = exp(log_p);
                  for (Index i = 0; i < n; ++i) {
                    dlogits.mutable_data()[i * vocab + targets.data()[i]] -= 1;
                  }
                  return {dlogits * (dy.item() / Scalar(n))};
                });
}
