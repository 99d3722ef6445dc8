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

/// x kept between two numbers, \f$ y = \min(\max(x, \mathrm{low}), \mathrm{high}) \f$; NaN stays
/// NaN. Gradient: dx = dy where \f$ \mathrm{low} \le x \le \mathrm{high} \f$, else 0.
/// Example: `clamp(tensor({-3, 1, 7}), 0, 5)` is `[0, 1, 5]`.
/// @throws std::invalid_argument unless low <= high.
Tensor clamp(const Tensor& x, Scalar low, Scalar high);

/// @}

namespace detail {
/// a += b, for the engine's own sums of gradients: shapes must be equal, nothing is recorded.
void add_in_place(Tensor& a, const Tensor& b);
}  // namespace detail

/// @defgroup functions Elementary functions
/// Functions of each element. y has the shape of x; all gradients here can be differentiated again.
/// @{

/// The exponential \f$ y = e^x \f$. Gradient: dx = dy y.
/// Example: `exp(tensor({0, 1}))` is `[1, 2.7183]`.
Tensor exp(const Tensor& x);

/// The natural logarithm \f$ y = \ln x \f$: -inf at 0, NaN below. Gradient: \f$ dx = dy / x \f$.
/// Example: `log(tensor({1, 10}))` is `[0, 2.3026]`.
Tensor log(const Tensor& x);

/// The root \f$ y = \sqrt x \f$, NaN below 0. Gradient: \f$ dx = dy / (2 y) \f$, infinite at 0.
/// Example: `sqrt(tensor({4, 9}))` is `[2, 3]`.
Tensor sqrt(const Tensor& x);

/// @}

/// @defgroup activation Activations
/// Nonlinearities, applied to each element. y has the shape of x.
/// @{

/// The hyperbolic tangent \f$ y = \tanh x \f$. Gradient: \f$ dx = dy\,(1 - y^2) \f$; it can be
/// differentiated again.
/// Example: `tanh(tensor({0, 1}))` is `[0, 0.7616]`.
Tensor tanh(const Tensor& x);

/// The logistic function \f$ y = 1 / (1 + e^{-x}) \f$. Gradient: \f$ dx = dy\,y\,(1 - y) \f$; it
/// can be differentiated again.
/// Example: `sigmoid(tensor({0, 2}))` is `[0.5, 0.8808]`.
Tensor sigmoid(const Tensor& x);

/// The rectifier \f$ y = \max(x, 0) \f$; NaN stays NaN. Gradient: dx = dy where x > 0, else 0, also
/// at 0; it can be differentiated again.
/// Example: `relu(tensor({-1, 2}))` is `[0, 2]`.
Tensor relu(const Tensor& x);

/// The Gaussian error linear unit in the form that GPT-2 uses.
/// \f[ y = \frac{x}{2} (1 + \tanh u), \qquad u = \sqrt{2 / \pi}\,(x + 0.044715\,x^3) \f]
/// Gradient: \f$ dx = dy\,(s + 2 x\,s\,(1 - s)\,u') \f$ with \f$ s = \mathrm{sigmoid}(2 u) \f$ and
/// u' the derivative of u. Hendrycks and Gimpel, "Gaussian error linear units", 2016.
/// Example: `gelu(tensor({-1, 1}))` is `[-0.1588, 0.8412]`.
Tensor gelu(const Tensor& x);

/// @}

}  // namespace gradus
