/// @file
/// Softmax and its logarithm.
#pragma once

#include "autograd/tensor.h"

namespace gradus {

/// @defgroup softmax Softmax
/// Numbers along an axis made into probabilities, and their logarithms.
/// @{

/// The softmax y_i = e^x_i / sum_j e^x_j along one axis.
///
/// The largest element is taken off first, so nothing overflows. -inf gives exactly 0; a row of
/// nothing but -inf (fully masked) gives zeros, and a zero gradient. Shapes: x any, y the same.
/// Gradient: dx = y (dy - sum(dy y)); it can be differentiated again.
/// Example: `softmax(tensor({0, 0}))` is `[0.5, 0.5]`.
/// @throws std::invalid_argument if the axis is absent.
Tensor softmax(const Tensor& x, int axis = -1);

/// The logarithm of the softmax, y_i = x_i - ln sum_j e^x_j, without the rounding of
/// log(softmax(x)).
///
/// Shapes: x any, y the same. Gradient: dx = dy - e^y sum(dy); it can be differentiated again.
/// Example: `log_softmax(tensor({0, 0}))` is `[-0.6931, -0.6931]`.
/// @throws std::invalid_argument if the axis is absent.
Tensor log_softmax(const Tensor& x, int axis = -1);

/// @}

}  // namespace gradus
