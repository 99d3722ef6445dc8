// rejected: the smaller tensor was read again from its beginning
#include "tutorials/01_tensors/exercises.h"

Tensor add(const Tensor& a, const Tensor& b) {
  const Tensor y(broadcast_shapes("add", a.shape(), b.shape()));
  for (Index i = 0; i < y.size(); ++i) {
    y.mutable_data()[i] = a.data()[i % a.size()] + b.data()[i % b.size()];
  }
  return y;
}
