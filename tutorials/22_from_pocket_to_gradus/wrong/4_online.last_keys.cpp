// rejected: keys of earlier blocks are forgotten
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

// `mixed` keeps each score beside its value, of the last 100 keys.
void OnlineSoftmax::add(const Tensor& scores, const Tensor& values) {
  const NoGrad no_grad;
  const Tensor block = concat({reshape(scores, {-1, 1}), values}, -1);
  mixed = mixed.defined() ? concat({mixed, block}, 0) : block;
  if (mixed.size(0) > 100) mixed = slice(mixed, 0, -100);
}

Tensor OnlineSoftmax::result() const {
  const Tensor p = softmax(reshape(slice(mixed, -1, 0, 1), {1, -1}));
  return reshape(matmul(p, slice(mixed, -1, 1)), {-1});
}
