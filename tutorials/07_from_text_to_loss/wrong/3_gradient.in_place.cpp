// rejected: argument 1 has changed
#include <algorithm>

#include "tutorials/07_from_text_to_loss/exercises.h"

Tensor logits_gradient(const Tensor& logits, const IndexTensor& targets) {
  const Index n = logits.size(0), v = logits.size(1);
  const Tensor p = softmax(logits);
  const Tensor g = logits;
  std::copy(p.begin(), p.end(), g.mutable_data());
  for (Index i = 0; i < n; ++i) g.mutable_data()[i * v + targets.data()[i]] -= 1;
  return g / static_cast<Scalar>(n);
}

Tensor table_gradient(const Tensor& table, const IndexTensor& inputs, const IndexTensor& targets) {
  const Index n = inputs.size(), v = table.size(1);
  const Tensor g = logits_gradient(embedding(inputs, table), targets);
  Tensor sums = zeros(table.shape());
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < v; ++j)
      sums.mutable_data()[inputs.data()[i] * v + j] += g.data()[i * v + j];
  }
  return sums;
}
