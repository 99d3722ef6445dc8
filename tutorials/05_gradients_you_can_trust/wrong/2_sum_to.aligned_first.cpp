// rejected: aligned at the first axis
#include "tutorials/05_gradients_you_can_trust/exercises.h"

using namespace gradus;

Tensor my_sum_to(const Tensor& x, const Shape& shape) {
  const Tensor y = zeros(shape);
  const Index copies = x.size() / y.size();
  for (Index i = 0; i < x.size(); ++i) y.mutable_data()[i / copies] += x.data()[i];
  return y;
}
