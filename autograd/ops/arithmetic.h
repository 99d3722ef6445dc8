/// @file
/// Elementwise arithmetic, of two tensors that broadcast or of a tensor and a number.
#pragma once

#include "autograd/tensor.h"

namespace gradus {

/// @defgroup arithmetic Arithmetic
/// Sums, products, powers and similar ops, element by element. Two tensors are first broadcast by
/// NumPy's rule: shapes are aligned at the last axis, and an axis of size 1, or a missing one, is
/// repeated. Their gradients are summed over the repeated axes. With one tensor, y has its shape.
/// All gradients here can be differentiated again.
/// @{

/// The negative y = -x. Gradient: dx = -dy.
/// Example: `-tensor({1, -2})` is `[-1, 2]`.
Tensor operator-(const Tensor& x);

///@{
/// The sum y = a + b of two tensors, or of a tensor and a number. Gradient: da = dy, db = dy.
/// Example: `tensor({{1, 2}, {3, 4}}) + tensor({10, 20})` is `[[11, 22], [13, 24]]`.
/// @throws std::invalid_argument if the shapes do not broadcast.
Tensor operator+(const Tensor& a, const Tensor& b);
Tensor operator+(const Tensor& x, Scalar s);
Tensor operator+(Scalar s, const Tensor& x);
///@}

///@{
/// The difference y = a - b of two tensors, or of a tensor and a number. Gradient: da = dy,
/// db = -dy.
/// Example: `tensor({5, 7}) - tensor({1, 2})` is `[4, 5]`.
/// @throws std::invalid_argument if the shapes do not broadcast.
Tensor operator-(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& x, Scalar s);
Tensor operator-(Scalar s, const Tensor& x);
///@}

///@{
/// The product y = a b of two tensors, or of a tensor and a number. Gradient: da = dy b, db = dy a.
/// Example: `tensor({5, 7}) * tensor({1, 2})` is `[5, 14]`.
/// @throws std::invalid_argument if the shapes do not broadcast.
Tensor operator*(const Tensor& a, const Tensor& b);
Tensor operator*(const Tensor& x, Scalar s);
Tensor operator*(Scalar s, const Tensor& x);
///@}

///@{
/// The quotient y = a / b of two tensors, or of a tensor and a number. Gradient:
/// \f$ da = dy / b \f$, \f$ db = -dy\,a / b^2 \f$.
/// Example: `tensor({5, 8}) / tensor({1, 2})` is `[5, 4]`.
/// @throws std::invalid_argument if the shapes do not broadcast.
Tensor operator/(const Tensor& a, const Tensor& b);
Tensor operator/(const Tensor& x, Scalar s);
Tensor operator/(Scalar s, const Tensor& x);
///@}

/// The power \f$ y = x^n \f$ for a fixed number n. Gradient: \f$ dx = n\, x^{n - 1} dy \f$, and 0
/// for n = 0. As with std::pow, a negative x with a fractional exponent gives NaN.
/// Example: `pow(tensor({2, 3}), 2)` is `[4, 9]`.
Tensor pow(const Tensor& x, Scalar exponent);

/// x limited to [low, high], \f$ y = \min(\max(x, \mathrm{low}), \mathrm{high}) \f$; NaN stays NaN.
/// Gradient: dx = dy where \f$ \mathrm{low} \le x \le \mathrm{high} \f$, otherwise 0.
/// Example: `clamp(tensor({-3, 1, 7}), 0, 5)` is `[0, 1, 5]`.
/// @throws std::invalid_argument unless low <= high.
Tensor clamp(const Tensor& x, Scalar low, Scalar high);

/// The absolute value \f$ y = |x| \f$. Gradient: \f$ dx = \mathrm{sign}(x)\,dy \f$, 0 at x = 0.
/// Example: `abs(tensor({-1, 2}))` is `[1, 2]`.
Tensor abs(const Tensor& x);

/// The larger of two elements, \f$ y = \max(a, b) \f$, with broadcasting. Gradient: dy goes to the
/// larger argument; where both are equal, each gets half. NaN in either argument gives NaN.
/// Example: `maximum(tensor({1, 5}), tensor({2, 2}))` is `[2, 5]`.
/// @throws std::invalid_argument if the shapes do not broadcast.
Tensor maximum(const Tensor& a, const Tensor& b);

/// The smaller of two elements, \f$ y = \min(a, b) \f$; otherwise like maximum().
/// Example: `minimum(tensor({1, 5}), tensor({2, 2}))` is `[1, 2]`.
/// @throws std::invalid_argument if the shapes do not broadcast.
Tensor minimum(const Tensor& a, const Tensor& b);

///@{
/// y += x means y = y + x: y becomes a new tensor, the sum, and backward() goes through it. No
/// elements change, and other handles of the old y keep the old tensor. The same holds for -=, *=
/// and /=; x may be a number. It is an error if y is a leaf that collects a gradient: ops never
/// change a leaf, and y would no longer refer to it.
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

namespace detail {
/// a += b, for sums of gradients inside the engine. Shapes must be equal; nothing is recorded.
void add_in_place(Tensor& a, const Tensor& b);
}  // namespace detail

}  // namespace gradus
