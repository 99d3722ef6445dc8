/// @file
/// Activation functions beyond tanh, sigmoid and relu, which elementwise.h has.
#pragma once

#include "autograd/ops/elementwise.h"
#include "autograd/tensor.h"

namespace gradus {

/// @defgroup activation Activations
/// Nonlinearities, applied to each element. y has the shape of x.
/// @{

/// The squared rectifier y = max(x, 0)^2; NaN stays NaN.
///
/// Gradient: dx = dy 2 max(x, 0). So and others, "Primer: searching for efficient transformers for
/// language modeling", 2021.
/// @code
/// relu_squared(tensor({-1, 2}));  // [0, 4]
/// @endcode
Tensor relu_squared(const Tensor& x);

/// The Gaussian error linear unit in the form that GPT-2 uses,
/// y = x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).
///
/// Gradient: dx = dy (s + x s (1 - s) v') with v = 2 sqrt(2 / pi) (x + 0.044715 x^3) and s =
/// sigmoid(v). Hendrycks and Gimpel, "Gaussian error linear units", 2016.
/// @code
/// gelu(tensor({-1, 1}));  // [-0.1588, 0.8412]
/// @endcode
Tensor gelu(const Tensor& x);

/// The exact Gaussian error linear unit y = x / 2 (1 + erf(x / sqrt(2))), as BERT uses it.
///
/// Gradient: dx = dy (Phi(x) + x phi(x)) with the normal distribution's Phi and density phi.
/// Hendrycks and Gimpel, 2016.
/// @code
/// gelu_erf(tensor({-1, 1}));  // [-0.1587, 0.8413]
/// @endcode
Tensor gelu_erf(const Tensor& x);

/// The sigmoid linear unit y = x sigmoid(x), also called swish.
///
/// Gradient: dx = dy s (1 + x (1 - s)) with s = sigmoid(x). Hendrycks and Gimpel, 2016;
/// Ramachandran, Zoph and Le, 2017.
/// @code
/// silu(tensor({-1, 1}));  // [-0.2689, 0.7311]
/// @endcode
Tensor silu(const Tensor& x);

/// @}

}  // namespace gradus
