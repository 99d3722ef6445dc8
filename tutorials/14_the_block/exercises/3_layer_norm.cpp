// Exercise 14.3, 45 minutes: the gradient of layer norm.
//
// y = (x - mean) / sqrt(variance + 1e-5), over the last axis, without gain and shift: x [N, C].
// Given dy [N, C], return dx [N, C]. Mean and variance depend on x, too.
#include "tutorials/14_the_block/exercises.h"

Tensor my_layer_norm_gradient(const Tensor& x, const Tensor& dy) { return zeros(x.shape()); }
