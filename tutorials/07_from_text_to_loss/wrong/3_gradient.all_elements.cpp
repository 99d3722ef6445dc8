// rejected: divided by all N V numbers
#include "tutorials/07_from_text_to_loss/exercises.h"

Tensor logits_gradient(const Tensor& logits, const IndexTensor& targets) {
  const Index n = logits.size(0), v = logits.size(1);
  Tensor g = softmax(logits);
  for (Index i = 0; i < n; ++i) g.mutable_data()[i * v + targets.data()[i]] -= 1;
  return g / static_cast<Scalar>(n * v);
}

Tensor table_gradient(const Tensor& table, const IndexTensor&, const IndexTensor&) {
  return zeros(table.shape());
}
