/// @file
/// Layer and RMS normalisation.
#pragma once

#include "autograd/tensor.h"

namespace gradus {

/// @defgroup layer_norm Normalisation
/// Scales each row to the same size, so that a stack of many layers can be trained.
/// @{

/// Normalises each row of the last axis by its own mean and (biased) variance.
/// \f[ y = n \odot w + b, \qquad n = r\,(x - \mu), \qquad r = 1 / \sqrt{\sigma^2 + \varepsilon} \f]
/// Shapes: x [..., C], weight w [C], bias b [C] or undefined for none, y as x.
/// Gradient: with \f$ g = dy \odot w \f$, a bar for the mean over the row, and sums over all rows,
/// \f[ dx = r\,(g - \overline{g} - n\,\overline{g \odot n}), \quad dw = \sum dy \odot n, \quad
/// db = \sum dy \f]
/// Ba, Kiros and Hinton, "Layer normalization", 2016.
/// Example: `layer_norm(tensor({1, 2, 3, 6}), ones({4}))` is `[-1.069, -0.5345, 0, 1.6036]`.
/// @throws std::invalid_argument if the shapes do not fit or epsilon is negative or not finite.
Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias = Tensor(),
                  Scalar epsilon = Scalar(1e-5));

/// Divides each row of the last axis by its root mean square.
/// \f[ y = n \odot w, \qquad n = r\,x, \qquad r = 1 / \sqrt{\overline{x^2} + \varepsilon} \f]
/// This is layer normalisation without the mean. It has a gain only if `weight` is given. Shapes: x
/// [..., C], weight w [C] or undefined for none, y as x.
/// Gradient: \f$ dx = r\,(g - n\,\overline{g \odot n}) \f$, \f$ dw = \sum dy \odot n \f$, as in
/// layer_norm(). Zhang and Sennrich, "Root mean square layer normalization", 2019.
/// Example: `rms_norm(tensor({3, 4}))` is `[0.8485, 1.1314]`.
/// @throws std::invalid_argument if the shapes do not fit or epsilon is negative or not finite.
Tensor rms_norm(const Tensor& x, const Tensor& weight = Tensor(), Scalar epsilon = Scalar(1e-6));

/// @}

}  // namespace gradus
