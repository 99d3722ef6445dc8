// rejected: 2 rows of 12
#include "tutorials/08_attention_before_transformers/exercises.h"

Tensor reversed(const Tensor& x, int axis = 1) {
  std::vector<Tensor> steps = split(x, x.size(axis), axis);
  std::reverse(steps.begin(), steps.begin() + std::min(std::ssize(steps), std::ptrdiff_t{8}));
  return concat(steps, axis);
}

Tensor both_ways(const RecurrentLayer& forward, const RecurrentLayer& backward, const Tensor& x) {
  return concat({forward(x), reversed(backward(reversed(x)))}, -1);
}
