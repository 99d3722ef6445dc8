/// @file
/// Exponential, logarithm and square root of elements.
#pragma once

#include "autograd/tensor.h"

namespace gradus {

/// @defgroup functions Elementary functions
/// Exponential, logarithm and square root of each element. y has the shape of x; all gradients here
/// can be differentiated again.
/// @{

/// y = e^x. Gradient: dx = dy y.
/// @code
/// exp(tensor({0, 1}));  // [1, 2.7183]
/// @endcode
Tensor exp(const Tensor& x);

/// The natural logarithm y = ln x: -inf at 0, NaN below. Gradient: dx = dy / x.
/// @code
/// log(tensor({1, 10}));  // [0, 2.3026]
/// @endcode
Tensor log(const Tensor& x);

/// y = sqrt(x), NaN below 0. Gradient: dx = dy / (2 y), infinite at 0.
/// @code
/// sqrt(tensor({4, 9}));  // [2, 3]
/// @endcode
Tensor sqrt(const Tensor& x);

/// @}

}  // namespace gradus
