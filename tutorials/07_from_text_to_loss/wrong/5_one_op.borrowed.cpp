// rejected: 0 times -inf is NaN
#include "tutorials/07_from_text_to_loss/exercises.h"

Tensor cross_entropy_op(const Tensor& logits, const IndexTensor& targets) {
  const Index n = logits.size(0), vocab = logits.size(1);
  const Tensor x = logits.detach();
  return record("cross_entropy", cross_entropy(x, targets), {logits},
                [=](const Tensor& dy) -> Gradients {
                  Tensor dlogits = softmax(x);
                  for (Index i = 0; i < n; ++i) {
                    dlogits.mutable_data()[i * vocab + targets.data()[i]] -= 1;
                  }
                  return {dlogits * (dy.item() / Scalar(n))};
                });
}
