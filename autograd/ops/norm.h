/// @file
/// Layer and RMS normalisation.
#pragma once

#include "autograd/tensor.h"

namespace gradus {

/// @defgroup layer_norm Normalisation
/// Each row brought to one size, so that layers stacked on each other can be trained.
/// @{

/// Normalises each row of the last axis, y = (x - mean) / sqrt(variance + epsilon) weight + bias.
///
/// Mean and (biased) variance are those of the row, so that no position sees another. Shapes: x
/// [..., C], weight [C], bias [C] or undefined for none, y as x. With n = (x - mean) r, r = 1 /
/// sqrt(variance + epsilon) and g = dy weight: dx = r (g - mean(g) - n mean(g n)), dweight = sum(dy
/// n), dbias = sum(dy). Ba, Kiros and Hinton, "Layer normalization", 2016.
/// Example: `layer_norm(tensor({1, 2, 3, 6}), ones({4}))` is `[-1.069, -0.5345, 0, 1.6036]`.
/// @throws std::invalid_argument if the shapes do not fit.
Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias = Tensor(),
                  Scalar epsilon = Scalar(1e-5));

/// Divides each row of the last axis by its root mean square: y = x r weight, where r = 1 /
/// sqrt(mean(x^2) + epsilon).
///
/// Layer normalisation without the mean, and here without a gain too unless `weight` is given.
/// Shapes: x [..., C], weight [C] or undefined for none, y as x. With n = x r and g = dy weight: dx
/// = r (g - n mean(g n)), dweight = sum(dy n). Zhang and Sennrich, "Root mean square layer
/// normalization", 2019.
/// Example: `rms_norm(tensor({3, 4}))` is `[0.8485, 1.1314]`.
/// @throws std::invalid_argument if the shapes do not fit.
Tensor rms_norm(const Tensor& x, const Tensor& weight = Tensor(), Scalar epsilon = Scalar(1e-6));

/// @}

}  // namespace gradus
