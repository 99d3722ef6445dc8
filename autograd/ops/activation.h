/// @file
/// Activations: the nonlinearities between the layers of a network.
#pragma once

#include "autograd/tensor.h"

namespace gradus {

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

/// The rectifier \f$ y = \max(x, 0) \f$; NaN stays NaN. Gradient: dx = dy where x > 0, otherwise 0,
/// also at x = 0; it can be differentiated again.
/// Example: `relu(tensor({-1, 2}))` is `[0, 2]`.
Tensor relu(const Tensor& x);

/// The Gaussian error linear unit in the form that GPT-2 uses.
/// \f[ y = \frac{x}{2} (1 + \tanh u), \qquad u = \sqrt{2 / \pi}\,(x + 0.044715\,x^3) \f]
/// Gradient: \f$ dx = dy\,(s + 2 x\,s\,(1 - s)\,u') \f$ with \f$ s = \mathrm{sigmoid}(2 u) \f$ and
/// u' the derivative of u. Hendrycks and Gimpel, "Gaussian error linear units", 2016.
/// Example: `gelu(tensor({-1, 1}))` is `[-0.1588, 0.8412]`.
Tensor gelu(const Tensor& x);

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
