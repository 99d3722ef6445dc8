// rejected: got [2, 4, 3], expected [2, 4, 6]
#include "tutorials/08_attention_before_transformers/exercises.h"

Tensor reversed(const Tensor& x, int axis = 1) {
  std::vector<Tensor> steps = split(x, x.size(axis), axis);
  std::reverse(steps.begin(), steps.end());
  return concat(steps, axis);
}

Tensor both_ways(const RecurrentLayer& forward, const RecurrentLayer& backward, const Tensor& x) {
  return forward(x) + reversed(backward(reversed(x)));
}
