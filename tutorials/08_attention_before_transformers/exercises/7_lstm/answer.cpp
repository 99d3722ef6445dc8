// Forget, take in, show.
#include "tutorials/08_attention_before_transformers/exercises.h"

LstmState lstm_step(const std::vector<Tensor>& sums, const Tensor& cell) {
  const Tensor f = sigmoid(sums[0]), i = sigmoid(sums[1]), o = sigmoid(sums[2]);
  const Tensor c = f * cell + i * tanh(sums[3]);
  return {o * tanh(c), c};
}
