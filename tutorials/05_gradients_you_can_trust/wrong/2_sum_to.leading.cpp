// rejected: only missing axes were summed
#include "tutorials/05_gradients_you_can_trust/exercises.h"

using namespace gradus;

Tensor my_sum_to(const Tensor& x, const Shape& shape) {
  const Tensor y = zeros(shape);
  for (Index i = 0; i < x.size(); ++i) y.mutable_data()[i % y.size()] += x.data()[i];
  return y;
}
