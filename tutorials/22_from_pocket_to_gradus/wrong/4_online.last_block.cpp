// rejected: that is the last block's own answer
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

void OnlineSoftmax::add(const Tensor& scores, const Tensor& values) {
  mixed = reshape(matmul(reshape(softmax(scores), {1, -1}), values), {-1});
}

Tensor OnlineSoftmax::result() const { return mixed; }
