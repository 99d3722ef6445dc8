// rejected: a leaf was made
#include "tutorials/15_gpt/exercises.h"

Tensor tied_gradient(const Tensor& table, const Tensor& map, const IndexTensor& tokens,
                     const IndexTensor& targets) {
  Tensor leaf = table.detach().set_requires_grad();
  const Tensor h = tanh(matmul(embedding(tokens, leaf), map));
  backward(cross_entropy(matmul(h, leaf, {.b = true}), targets));
  return leaf.grad();
}
