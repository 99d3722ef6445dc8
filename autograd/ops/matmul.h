/// @file
/// Matrix products of tensors: matmul and linear.
#pragma once

#include "autograd/tensor.h"

namespace gradus {

/// @defgroup matmul Matrix products
/// Products of matrices, alone or in batches, and the affine maps of layers.
/// @{

/// The arguments of matmul() that are transposed over their last two axes, without a copy.
struct Transposed {
  bool a = false;  ///< the left one
  bool b = false;  ///< the right one
};

/// The matrix product y = a b over the last two axes; the axes before them are batch axes and
/// broadcast.
///
/// Shapes: a [..., M, K] (or [..., K, M] if transposed), b [..., K, N] (or [..., N, K]), y [..., M,
/// N]. Gradient: \f$ da = dy\,b^\top \f$, \f$ db = a^\top dy \f$, summed over repeated batches;
/// they can be differentiated again.
/// @throws std::invalid_argument if a or b has fewer than two axes, if the inner sizes differ or if
/// the batches do not broadcast.
///
/// @code
/// matmul(tensor({{1, 2}, {3, 4}}), tensor({{1}, {10}}));  // [[21], [43]]
/// matmul(q, k, {.b = true});  // q k^T: [B, H, T, D] and [B, H, S, D] to [B, H, T, S]
/// @endcode
Tensor matmul(const Tensor& a, const Tensor& b, Transposed transposed = {});

/// The affine map y = x w + b of each row of x; `b` may be undefined: no bias.
///
/// Shapes: x [..., in], w [in, out], b [out], y [..., out]. Gradient: \f$ dx = dy\,w^\top \f$,
/// \f$ dw = x^\top dy \f$ and db the sum of dy over all rows; they can be differentiated again.
/// Example: `linear(tensor({{1, 2}}), tensor({{1, 0}, {0, 2}}), tensor({10, 20}))` is `[[11, 24]]`.
/// @throws std::invalid_argument if the shapes do not fit.
Tensor linear(const Tensor& x, const Tensor& w, const Tensor& b = Tensor());

/// @}

}  // namespace gradus
