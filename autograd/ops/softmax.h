/// @file
/// Softmax and its logarithm.
#pragma once

#include "autograd/tensor.h"

namespace gradus {

/// @defgroup softmax Softmax
/// Turns numbers along an axis into probabilities, or into their logarithms.
/// @{

/// The softmax along one axis: probabilities.
/// \f[ y_i = \frac{e^{x_i}}{\sum_j e^{x_j}} \f]
/// The largest element is subtracted first, so nothing overflows. -inf gives exactly 0; a row of
/// nothing but -inf (fully masked) gives zeros and a zero gradient. Shapes: x any, y the same.
/// Gradient: \f$ dx_i = y_i (dy_i - \sum_j dy_j\,y_j) \f$; it can be differentiated again.
/// Example: `softmax(tensor({0, 0}))` is `[0.5, 0.5]`.
/// @throws std::invalid_argument if the axis is absent.
Tensor softmax(const Tensor& x, int axis = -1);

/// The logarithm of the softmax, \f$ y_i = x_i - \ln \sum_j e^{x_j} \f$, without the rounding of
/// log(softmax(x)). A single -inf gives -inf, and its gradient is dy; a row of nothing but -inf
/// gives NaN and a gradient of NaN, as in PyTorch: such a row has no probabilities. Shapes: x any,
/// y the same. Gradient: \f$ dx_i = dy_i - e^{y_i} \sum_j dy_j \f$; it can be differentiated again.
/// Example: `log_softmax(tensor({0, 0}))` is `[-0.6931, -0.6931]`.
/// @throws std::invalid_argument if the axis is absent.
Tensor log_softmax(const Tensor& x, int axis = -1);

/// @}

}  // namespace gradus
