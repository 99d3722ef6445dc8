/// @file
/// Activation functions beyond tanh, sigmoid, relu and gelu.
#pragma once

#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup activation
/// @{

/// The squared rectifier \f$ y = \max(x, 0)^2 \f$; NaN stays NaN.
///
/// Gradient: \f$ dx = 2\,dy\,\max(x, 0) \f$. So and others, "Primer: searching for efficient
/// transformers for language modeling", 2021.
/// Example: `relu_squared(tensor({-1, 2}))` is `[0, 4]`.
Tensor relu_squared(const Tensor& x);

/// The exact Gaussian error linear unit, as BERT uses it.
/// \f[ y = x\,\Phi(x) = \frac{x}{2} \Bigl(1 + \mathrm{erf} \frac{x}{\sqrt 2}\Bigr) \f]
/// Gradient: \f$ dx = dy\,(\Phi(x) + x\,\varphi(x)) \f$, with \f$ \Phi \f$ the normal distribution
/// function and \f$ \varphi(x) = e^{-x^2 / 2} / \sqrt{2 \pi} \f$ its density. Hendrycks and
/// Gimpel, 2016.
/// Example: `gelu_erf(tensor({-1, 1}))` is `[-0.1587, 0.8413]`.
Tensor gelu_erf(const Tensor& x);

/// The sigmoid linear unit \f$ y = x\,\mathrm{sigmoid}(x) \f$, also called swish.
///
/// Gradient: \f$ dx = dy\,s\,(1 + x\,(1 - s)) \f$ with \f$ s = \mathrm{sigmoid}(x) \f$. Hendrycks
/// and Gimpel, 2016; Ramachandran, Zoph and Le, 2017.
/// Example: `silu(tensor({-1, 1}))` is `[-0.2689, 0.7311]`.
Tensor silu(const Tensor& x);

/// @}

}  // namespace gradus
