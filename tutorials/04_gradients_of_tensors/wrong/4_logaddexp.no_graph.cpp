// rejected: it was not recorded
#include "tutorials/04_gradients_of_tensors/exercises.h"

using namespace pocket;

Tensor logaddexp(const Tensor& a, const Tensor& b) {
  return elementwise("logaddexp", a, b, [](Scalar u, Scalar v) {
    return std::max(u, v) + std::log1p(std::exp(-std::abs(u - v)));
  });
}
