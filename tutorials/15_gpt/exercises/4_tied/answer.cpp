// Two uses, two gradients, one sum.
#include "tutorials/15_gpt/exercises.h"

Tensor tied_gradient(const Tensor& table, const Tensor& map, const IndexTensor& tokens,
                     const IndexTensor& targets) {
  const Index n = tokens.size(), v = table.size(0), c = table.size(1);
  const Tensor h = tanh(matmul(embedding(tokens, table), map));  // [N, C]
  Tensor dlogits = softmax(matmul(h, table, {.b = true}));       // [N, V]
  for (Index i = 0; i < n; ++i) dlogits.mutable_data()[i * v + targets.data()[i]] -= 1;
  dlogits = dlogits / static_cast<Scalar>(n);
  const Tensor writing = matmul(dlogits, h, {.a = true});        // [V, N] [N, C] to [V, C]
  const Tensor dh = matmul(dlogits, table);                      // [N, V] [V, C] to [N, C]
  const Tensor dx = matmul(dh * (1 - h * h), map, {.b = true});  // [N, C] [C, C] to [N, C]
  Tensor reading = zeros({v, c});
  for (Index i = 0; i < n * c; ++i) {
    reading.mutable_data()[tokens.data()[i / c] * c + i % c] += dx.data()[i];
  }
  return reading + writing;
}
