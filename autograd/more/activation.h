/// @file
/// Activation functions beyond tanh, sigmoid, relu and gelu.
#pragma once

#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup activation
/// @{

/// The squared rectifier y = max(x, 0)^2; NaN stays NaN.
///
/// Gradient: dx = dy 2 max(x, 0). So and others, "Primer: searching for efficient transformers for
/// language modeling", 2021.
/// Example: `relu_squared(tensor({-1, 2}))` is `[0, 4]`.
Tensor relu_squared(const Tensor& x);

/// The exact Gaussian error linear unit y = x / 2 (1 + erf(x / sqrt(2))), as BERT uses it.
///
/// Gradient: dx = dy (Phi(x) + x phi(x)) with the normal distribution's Phi and density phi.
/// Hendrycks and Gimpel, 2016.
/// Example: `gelu_erf(tensor({-1, 1}))` is `[-0.1587, 0.8413]`.
Tensor gelu_erf(const Tensor& x);

/// The sigmoid linear unit y = x sigmoid(x), also called swish.
///
/// Gradient: dx = dy s (1 + x (1 - s)) with s = sigmoid(x). Hendrycks and Gimpel, 2016;
/// Ramachandran, Zoph and Le, 2017.
/// Example: `silu(tensor({-1, 1}))` is `[-0.2689, 0.7311]`.
Tensor silu(const Tensor& x);

/// @}

}  // namespace gradus
