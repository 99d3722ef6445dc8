// rejected: that is the mean of the blocks' own answers
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

void OnlineSoftmax::add(const Tensor& scores, const Tensor& values) {
  const Tensor own = reshape(matmul(reshape(softmax(scores), {1, -1}), values), {-1});
  mixed = mixed.defined() ? mixed + own : own;
  sum += 1;
}

Tensor OnlineSoftmax::result() const { return mixed / sum; }
