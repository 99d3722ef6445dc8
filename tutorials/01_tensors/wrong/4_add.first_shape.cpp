// rejected: the result has a's shape
#include "tutorials/01_tensors/exercises.h"

Tensor add(const Tensor& a, const Tensor& b) {
  const Tensor y(a.shape());
  const Tensor wide = broadcast_to(b, broadcast_shapes("add", a.shape(), b.shape()));
  for (Index i = 0; i < y.size(); ++i) y.mutable_data()[i] = a.data()[i] + wide.data()[i];
  return y;
}
