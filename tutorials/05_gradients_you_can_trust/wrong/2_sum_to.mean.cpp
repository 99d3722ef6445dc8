// rejected: a mean
#include "tutorials/05_gradients_you_can_trust/exercises.h"

using namespace gradus;

Tensor my_sum_to(const Tensor& x, const Shape& shape) {
  const Tensor y = zeros(shape);
  const int missing = x.rank() - shape.rank();
  for (Index i = 0; i < x.size(); ++i) {
    Index left = i, place = 0, stride = 1;
    for (int axis = x.rank() - 1; axis >= missing; --axis) {
      const Index index = left % x.shape()[axis];
      left /= x.shape()[axis];
      if (shape[axis - missing] > 1) place += index * stride;
      stride *= shape[axis - missing];
    }
    y.mutable_data()[place] += x.data()[i];
  }
  for (Index i = 0; i < y.size(); ++i) {
    y.mutable_data()[i] /= static_cast<Scalar>(x.size() / y.size());
  }
  return y;
}
