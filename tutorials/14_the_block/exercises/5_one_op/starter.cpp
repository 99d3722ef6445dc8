// Exercise 14.5, 45 minutes: layer norm as one op.
//
// y = (x - mean) / sqrt(variance + 1e-5) over the last axis, x [N, C], without weight and bias. The
// graph must get one node, by record("layer_norm", y, {x}, closure). The closure returns dx, which
// you derive: mean and variance depend on x, too.
#include "tutorials/14_the_block/exercises.h"

Tensor my_layer_norm(const Tensor& x) { return x; }
