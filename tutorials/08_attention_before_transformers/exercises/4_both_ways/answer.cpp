// The second layer reads the sequence from its end; its states are put back in order.
#include "tutorials/08_attention_before_transformers/exercises.h"

Tensor reversed(const Tensor& x) {
  std::vector<Tensor> steps = split(x, x.size(1), 1);
  std::reverse(steps.begin(), steps.end());
  return concat(steps, 1);
}

Tensor both_ways(const RecurrentLayer& from_left, const RecurrentLayer& from_right,
                 const Tensor& x) {
  return concat({from_left(x), reversed(from_right(reversed(x)))}, -1);
}
