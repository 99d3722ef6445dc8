// rejected: copied to the large shape
#include "tutorials/01_tensors/exercises.h"

Tensor add(const Tensor& a, const Tensor& b) {
  const Tensor y(broadcast_shapes("add", a.shape(), b.shape()));
  const Tensor p = broadcast_to(a, y.shape()), q = broadcast_to(b, y.shape());
  for (Index i = 0; i < y.size(); ++i) y.mutable_data()[i] = p.data()[i] + q.data()[i];
  return y;
}
