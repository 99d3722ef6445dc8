// rejected: mean and variance were taken as constants
#include "tutorials/14_the_block/exercises.h"

Tensor my_layer_norm_gradient(const Tensor& x, const Tensor& dy) {
  const Tensor centred = x - mean(x, {-1}, {.keepdim = true});
  return dy / sqrt(mean(centred * centred, {-1}, {.keepdim = true}) + Scalar(1e-5));
}
