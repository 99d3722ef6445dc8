/// @file
/// Elementary functions of each element.
#pragma once

#include "autograd/tensor.h"

namespace gradus {

/// @defgroup functions Elementary functions
/// Functions of each element. y has the shape of x; all gradients here can be differentiated again.
/// @{

/// The exponential \f$ y = e^x \f$. Gradient: dx = dy y.
/// Example: `exp(tensor({0, 1}))` is `[1, 2.7183]`.
Tensor exp(const Tensor& x);

/// The natural logarithm \f$ y = \ln x \f$: -inf at 0, NaN below 0. Gradient: \f$ dx = dy / x \f$.
/// Example: `log(tensor({1, 10}))` is `[0, 2.3026]`.
Tensor log(const Tensor& x);

/// The root \f$ y = \sqrt x \f$, NaN below 0. Gradient: \f$ dx = dy / (2 y) \f$, infinite at 0.
/// Example: `sqrt(tensor({4, 9}))` is `[2, 3]`.
Tensor sqrt(const Tensor& x);

/// The sine \f$ y = \sin x \f$ of x in radians. Gradient: \f$ dx = dy \cos x \f$.
/// Example: `sin(tensor({0, 1}))` is `[0, 0.8415]`.
Tensor sin(const Tensor& x);

/// The cosine \f$ y = \cos x \f$ of x in radians. Gradient: \f$ dx = -dy \sin x \f$.
/// Example: `cos(tensor({0, 1}))` is `[1, 0.5403]`.
Tensor cos(const Tensor& x);

/// @}

}  // namespace gradus
