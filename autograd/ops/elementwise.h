/// @file
/// Ops on elements: arithmetic with broadcasting and numbers, functions, plain activations.
#pragma once

#include "autograd/tensor.h"

namespace gradus {

/// @defgroup arithmetic Arithmetic
/// Sums, products, powers and their kin, element by element. Two tensors are broadcast first, by
/// NumPy's rule: shapes are aligned at the last axis, and an axis of size 1, or a missing one, is
/// repeated. Their gradients are summed over the repeated axes. With one tensor, y has its shape.
/// All gradients here can be differentiated again.
/// @{

/// The negative y = -x. Gradient: dx = -dy.
/// @code
/// -tensor({1, -2});  // [-1, 2]
/// @endcode
Tensor operator-(const Tensor& x);

///@{
/// The sum y = a + b of two tensors, or of a tensor and a number. Gradient: da = dy, db = dy.
/// @throws std::invalid_argument if the shapes do not broadcast.
///
/// @code
/// tensor({{1, 2}, {3, 4}}) + tensor({10, 20});  // [[11, 22], [13, 24]]
/// tensor({1, 2}) + 3;  // [4, 5]
/// 3 + tensor({1, 2});  // [4, 5]
/// @endcode
Tensor operator+(const Tensor& a, const Tensor& b);
Tensor operator+(const Tensor& x, Scalar s);
Tensor operator+(Scalar s, const Tensor& x);
///@}

///@{
/// The difference y = a - b of two tensors, or of a tensor and a number. Gradient: da = dy,
/// db = -dy.
/// @throws std::invalid_argument if the shapes do not broadcast.
///
/// @code
/// tensor({5, 7}) - tensor({1, 2});  // [4, 5]
/// tensor({1, 2}) - 3;  // [-2, -1]
/// 3 - tensor({1, 2});  // [2, 1]
/// @endcode
Tensor operator-(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& x, Scalar s);
Tensor operator-(Scalar s, const Tensor& x);
///@}

///@{
/// The product y = a b of two tensors, or of a tensor and a number. Gradient: da = dy b, db = dy a.
/// @throws std::invalid_argument if the shapes do not broadcast.
///
/// @code
/// tensor({5, 7}) * tensor({1, 2});  // [5, 14]
/// tensor({1, 2}) * 3;  // [3, 6]
/// 3 * tensor({1, 2});  // [3, 6]
/// @endcode
Tensor operator*(const Tensor& a, const Tensor& b);
Tensor operator*(const Tensor& x, Scalar s);
Tensor operator*(Scalar s, const Tensor& x);
///@}

///@{
/// The quotient y = a / b of two tensors, or of a tensor and a number. Gradient: da = dy / b,
/// \f$ db = -dy\, a / b^2 \f$.
/// @throws std::invalid_argument if the shapes do not broadcast.
///
/// @code
/// tensor({5, 8}) / tensor({1, 2});  // [5, 4]
/// tensor({1, 2}) / 4;  // [0.25, 0.5]
/// 4 / tensor({1, 2});  // [4, 2]
/// @endcode
Tensor operator/(const Tensor& a, const Tensor& b);
Tensor operator/(const Tensor& x, Scalar s);
Tensor operator/(Scalar s, const Tensor& x);
///@}

/// The power \f$ y = x^n \f$ for a fixed number n. Gradient: \f$ dx = n\, x^{n - 1} dy \f$, and 0
/// for n = 0. As with std::pow, a negative x with a fractional exponent gives NaN.
/// @code
/// pow(tensor({2, 3}), 2);  // [4, 9]
/// @endcode
Tensor pow(const Tensor& x, Scalar exponent);

/// The absolute value y = |x|. Gradient: dx = sign(x) dy, with 0 at x = 0.
/// @code
/// abs(tensor({-1, 2}));  // [1, 2]
/// @endcode
Tensor abs(const Tensor& x);

/// The larger of two, y = max(a, b), elementwise with broadcasting. Gradient: dy goes to the larger
/// argument; where both are equal each gets half. NaN in either argument gives NaN.
/// @throws std::invalid_argument if the shapes do not broadcast.
///
/// @code
/// maximum(tensor({1, 5}), tensor({2, 2}));  // [2, 5]
/// @endcode
Tensor maximum(const Tensor& a, const Tensor& b);

/// The smaller of two, y = min(a, b); all else as maximum().
/// @throws std::invalid_argument if the shapes do not broadcast.
///
/// @code
/// minimum(tensor({1, 5}), tensor({2, 2}));  // [1, 2]
/// @endcode
Tensor minimum(const Tensor& a, const Tensor& b);

/// y = min(max(x, low), high); NaN stays NaN. Gradient: dx = dy where low <= x <= high, else 0.
/// @throws std::invalid_argument unless low <= high.
///
/// @code
/// clamp(tensor({-3, 1, 7}), 0, 5);  // [0, 1, 5]
/// @endcode
Tensor clamp(const Tensor& x, Scalar low, Scalar high);

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

/// a += b, for the engine's own sums of gradients: shapes must be equal, nothing is recorded.
void add_in_place(Tensor& a, const Tensor& b);

/// @defgroup functions Elementary functions
/// Functions of each element. y has the shape of x; all gradients here can be differentiated again.
/// @{

/// The exponential \f$ y = e^x \f$. Gradient: dx = dy y.
/// @code
/// exp(tensor({0, 1}));  // [1, 2.7183]
/// @endcode
Tensor exp(const Tensor& x);

/// The natural logarithm y = ln x: -inf at 0, NaN below. Gradient: dx = dy / x.
/// @code
/// log(tensor({1, 10}));  // [0, 2.3026]
/// @endcode
Tensor log(const Tensor& x);

/// The square root \f$ y = \sqrt x \f$, NaN below 0. Gradient: dx = dy / (2 y), infinite at 0.
/// @code
/// sqrt(tensor({4, 9}));  // [2, 3]
/// @endcode
Tensor sqrt(const Tensor& x);

/// The sine of x in radians. Gradient: dx = dy cos(x).
/// @code
/// sin(tensor({0, 1}));  // [0, 0.8415]
/// @endcode
Tensor sin(const Tensor& x);

/// The cosine of x in radians. Gradient: dx = -dy sin(x).
/// @code
/// cos(tensor({0, 1}));  // [1, 0.5403]
/// @endcode
Tensor cos(const Tensor& x);

/// @}

/// @addtogroup activation
/// @{

/// The hyperbolic tangent y = tanh(x). Gradient: \f$ dx = dy\,(1 - y^2) \f$; it can be
/// differentiated again.
/// @code
/// tanh(tensor({0, 1}));  // [0, 0.7616]
/// @endcode
Tensor tanh(const Tensor& x);

/// The logistic function \f$ y = 1 / (1 + e^{-x}) \f$. Gradient: dx = dy y (1 - y); it can be
/// differentiated again.
/// @code
/// sigmoid(tensor({0, 2}));  // [0.5, 0.8808]
/// @endcode
Tensor sigmoid(const Tensor& x);

/// The rectifier y = max(x, 0); NaN stays NaN. Gradient: dx = dy where x > 0, else 0, also at 0; it
/// can be differentiated again.
/// @code
/// relu(tensor({-1, 2}));  // [0, 2]
/// @endcode
Tensor relu(const Tensor& x);

/// @}

}  // namespace gradus
