/// @file
/// Root-mean-square normalisation.
#pragma once

#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup layer_norm
/// @{

/// Divides each row of the last axis by its root mean square: y = x r weight, where r = 1 /
/// sqrt(mean(x^2) + epsilon).
///
/// Layer normalisation without the mean, and here without a gain too unless `weight` is given.
/// Shapes: x [..., C], weight [C] or undefined for none, y as x. With n = x r and g = dy weight: dx
/// = r (g - n mean(g n)), dweight = sum(dy n); a kernel that saves x and one number per row and
/// cannot be differentiated again (rms_norm_composed() can). Zhang and Sennrich, "Root mean square
/// layer normalization", 2019.
/// @throws std::invalid_argument if the shapes do not fit.
///
/// @code
/// rms_norm(tensor({3, 4}));  // [0.8485, 1.1314]
/// @endcode
Tensor rms_norm(const Tensor& x, const Tensor& weight = Tensor(), Scalar epsilon = Scalar(1e-6));

/// rms_norm() out of elementary ops, for comparison and for teaching.
/// @throws std::invalid_argument if the shapes do not fit.
///
/// @code
/// rms_norm_composed(tensor({3, 4}));  // [0.8485, 1.1314]
/// @endcode
Tensor rms_norm_composed(const Tensor& x, const Tensor& weight = Tensor(),
                         Scalar epsilon = Scalar(1e-6));

/// @}

}  // namespace gradus
