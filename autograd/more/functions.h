/// @file
/// Further functions of elements, and ops like += that replace a handle.
#pragma once

#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup arithmetic
/// @{

/// The absolute value \f$ y = |x| \f$. Gradient: \f$ dx = \mathrm{sign}(x)\,dy \f$, 0 at x = 0.
/// Example: `abs(tensor({-1, 2}))` is `[1, 2]`.
Tensor abs(const Tensor& x);

/// The larger of two, \f$ y = \max(a, b) \f$, elementwise with broadcasting. Gradient: dy goes to
/// the larger argument; where both are equal each gets half. NaN in either argument gives NaN.
/// Example: `maximum(tensor({1, 5}), tensor({2, 2}))` is `[2, 5]`.
/// @throws std::invalid_argument if the shapes do not broadcast.
Tensor maximum(const Tensor& a, const Tensor& b);

/// The smaller of two, \f$ y = \min(a, b) \f$; all else as maximum().
/// Example: `minimum(tensor({1, 5}), tensor({2, 2}))` is `[1, 2]`.
/// @throws std::invalid_argument if the shapes do not broadcast.
Tensor minimum(const Tensor& a, const Tensor& b);

///@{
/// y += x is y = y + x: y becomes a new tensor of the sum, which backward() goes through. No
/// elements change, and other handles of the old y keep it. -=, *= and /= likewise; x may be a
/// number. As ops never change a leaf, it is an error on one that collects a gradient: the name y
/// would lose that leaf.
/// @throws std::invalid_argument if y is a leaf that requires a gradient, or the shapes do not
/// broadcast.
///
/// @code
/// Tensor total = scalar(0);
/// for (const Tensor& loss : losses) total += loss;
/// @endcode
Tensor& operator+=(Tensor& y, const Tensor& x);
Tensor& operator-=(Tensor& y, const Tensor& x);
Tensor& operator*=(Tensor& y, const Tensor& x);
Tensor& operator/=(Tensor& y, const Tensor& x);
Tensor& operator+=(Tensor& y, Scalar s);
Tensor& operator-=(Tensor& y, Scalar s);
Tensor& operator*=(Tensor& y, Scalar s);
Tensor& operator/=(Tensor& y, Scalar s);
///@}

/// @}

/// @addtogroup functions
/// @{

/// The sine \f$ y = \sin x \f$ of x in radians. Gradient: \f$ dx = dy \cos x \f$.
/// Example: `sin(tensor({0, 1}))` is `[0, 0.8415]`.
Tensor sin(const Tensor& x);

/// The cosine \f$ y = \cos x \f$ of x in radians. Gradient: \f$ dx = -dy \sin x \f$.
/// Example: `cos(tensor({0, 1}))` is `[1, 0.5403]`.
Tensor cos(const Tensor& x);

/// @}

}  // namespace gradus
