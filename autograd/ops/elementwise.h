/// @file
/// Arithmetic on elements: + - * / with broadcasting and scalars, powers, absolute value, maximum.
#pragma once

#include "autograd/tensor.h"

namespace gradus {

/// @defgroup arithmetic Arithmetic
/// Sums, products, powers and their kin, element by element. Two tensors are broadcast first, by
/// NumPy's rule: shapes are aligned at the last axis, and an axis of size 1, or a missing one, is
/// repeated. What flows back is summed over the repeated axes. With one tensor, y has its shape.
/// All gradients here can be differentiated again.
/// @{

/// The sum y = a + b, elementwise. Shapes: a, b any that broadcast to y. Gradient: da = dy, db =
/// dy.
/// @throws std::invalid_argument if the shapes do not broadcast.
///
/// @code
/// tensor({{1, 2}, {3, 4}}) + tensor({10, 20});  // [[11, 22], [13, 24]]
/// @endcode
Tensor operator+(const Tensor& a, const Tensor& b);
/// The difference y = a - b, elementwise. Gradient: da = dy, db = -dy.
/// @throws std::invalid_argument if the shapes do not broadcast.
///
/// @code
/// tensor({5, 7}) - tensor({1, 2});  // [4, 5]
/// @endcode
Tensor operator-(const Tensor& a, const Tensor& b);
/// The product y = a b, elementwise. Gradient: da = dy b, db = dy a.
/// @throws std::invalid_argument if the shapes do not broadcast.
///
/// @code
/// tensor({5, 7}) * tensor({1, 2});  // [5, 14]
/// @endcode
Tensor operator*(const Tensor& a, const Tensor& b);
/// The quotient y = a / b, elementwise. Gradient: da = dy / b, db = -dy a / b^2.
/// @throws std::invalid_argument if the shapes do not broadcast.
///
/// @code
/// tensor({5, 8}) / tensor({1, 2});  // [5, 4]
/// @endcode
Tensor operator/(const Tensor& a, const Tensor& b);

/// y = a + s for a number s. Gradient: da = dy.
/// @code
/// tensor({1, 2}) + 3;  // [4, 5]
/// @endcode
Tensor operator+(const Tensor& a, Scalar s);
/// y = s + a for a number s. Gradient: da = dy.
/// @code
/// 3 + tensor({1, 2});  // [4, 5]
/// @endcode
Tensor operator+(Scalar s, const Tensor& a);
/// y = a - s for a number s. Gradient: da = dy.
/// @code
/// tensor({1, 2}) - 3;  // [-2, -1]
/// @endcode
Tensor operator-(const Tensor& a, Scalar s);
/// y = s - a for a number s. Gradient: da = -dy.
/// @code
/// 3 - tensor({1, 2});  // [2, 1]
/// @endcode
Tensor operator-(Scalar s, const Tensor& a);
/// y = a s for a number s. Gradient: da = s dy.
/// @code
/// tensor({1, 2}) * 3;  // [3, 6]
/// @endcode
Tensor operator*(const Tensor& a, Scalar s);
/// y = s a for a number s. Gradient: da = s dy.
/// @code
/// 3 * tensor({1, 2});  // [3, 6]
/// @endcode
Tensor operator*(Scalar s, const Tensor& a);
/// y = a / s for a number s. Gradient: da = dy / s.
/// @code
/// tensor({1, 2}) / 4;  // [0.25, 0.5]
/// @endcode
Tensor operator/(const Tensor& a, Scalar s);
/// y = s / a for a number s. Gradient: da = -s dy / a^2.
/// @code
/// 4 / tensor({1, 2});  // [4, 2]
/// @endcode
Tensor operator/(Scalar s, const Tensor& a);

/// The negative y = -x. Gradient: dx = -dy.
/// @code
/// -tensor({1, -2});  // [-1, 2]
/// @endcode
Tensor operator-(const Tensor& x);

/// The power y = x^exponent for a fixed number. Gradient: dx = exponent x^(exponent - 1) dy, and 0
/// for exponent 0. As std::pow, a negative x with a broken exponent gives NaN.
/// @code
/// pow(tensor({2, 3}), 2);  // [4, 9]
/// @endcode
Tensor pow(const Tensor& x, Scalar exponent);

/// The absolute value y = |x|. Gradient: dx = sign(x) dy, with 0 at x = 0.
/// @code
/// abs(tensor({-1, 2}));  // [1, 2]
/// @endcode
Tensor abs(const Tensor& x);

/// The larger one, y = max(a, b), elementwise with broadcasting. Gradient: dy goes to the larger
/// argument; where both are equal each gets half. NaN in either argument gives NaN.
/// @throws std::invalid_argument if the shapes do not broadcast.
///
/// @code
/// maximum(tensor({1, 5}), tensor({2, 2}));  // [2, 5]
/// @endcode
Tensor maximum(const Tensor& a, const Tensor& b);

/// @}

/// a += b, for the engine's own sums of gradients: shapes must be equal, nothing is recorded.
void add_in_place(Tensor& a, const Tensor& b);

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
