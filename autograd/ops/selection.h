/// @file
/// Ops that choose elements by a condition; comparisons and masks.
#pragma once

#include "autograd/index_tensor.h"
#include "autograd/tensor.h"

namespace gradus {

/// @defgroup select Select
/// Elements chosen by a condition. Conditions and masks are IndexTensors, in which any number but 0
/// is true. They have no gradient. The gradients of where and masked_fill can be differentiated
/// again.
/// @{

/// y = a where the condition is true, otherwise b; all three broadcast by NumPy's rule.
///
/// Gradient: da = dy where the condition is true, otherwise exactly 0; for db the reverse. Both are
/// summed over repeated axes. Elements that are not chosen may be infinite or NaN. Their gradient
/// of 0 is still multiplied by the slopes of the ops that computed them, and 0 times infinity is
/// NaN: if these slopes overflow, choose the arguments of those ops with where() too.
/// @throws std::invalid_argument if the shapes do not broadcast.
///
/// @code
/// where(indices({1, 0}), tensor({1, 2}), tensor({10, 20}));  // [1, 20]
/// where(causal_mask(T), scores, scalar(-INFINITY));          // before softmax
/// @endcode
Tensor where(const IndexTensor& condition, const Tensor& a, const Tensor& b);

///@{
/// 1 where a > b (a < b, a = b), otherwise 0, for two tensors that broadcast, or a tensor and a
/// number. A comparison with NaN gives 0. After `using namespace std`, which has a less and a
/// greater, write gradus::less.
/// @throws std::invalid_argument if the shapes do not broadcast.
///
/// @code
/// greater(tensor({1, 5}), tensor({2, 2}));  // [0, 1]
/// less(tensor({1, 5}), 2);                  // [1, 0]
/// equal(tensor({1, 5}), 5);                 // [0, 1]
/// @endcode
IndexTensor greater(const Tensor& a, const Tensor& b);
IndexTensor greater(const Tensor& a, Scalar s);
IndexTensor less(const Tensor& a, const Tensor& b);
IndexTensor less(const Tensor& a, Scalar s);
IndexTensor equal(const Tensor& a, const Tensor& b);
IndexTensor equal(const Tensor& a, Scalar s);
///@}

///@{
/// The mask with which each of `targets` positions attends to all of `sources` positions up to its
/// own. Both end at the same position, so row t has ones up to column t + sources - targets. By
/// default there are as many sources as targets. With a `window` above 0, each row keeps only the
/// last `window` of its ones.
///
/// Shapes: y [targets, sources].
/// @throws std::invalid_argument if a size or the window is negative.
///
/// @code
/// causal_mask(2, 3);     // [[1, 1, 0], [1, 1, 1]]
/// causal_mask(2);        // [[1, 0], [1, 1]]
/// causal_mask(2, 3, 2);  // [[1, 1, 0], [0, 1, 1]]
/// @endcode
IndexTensor causal_mask(Index targets, Index sources, Index window = 0);
IndexTensor causal_mask(Index targets);
///@}

/// y = value where the mask is true, otherwise x. The mask broadcasts to x's shape.
///
/// Gradient: dx = exactly 0 where the mask is true, for any value, otherwise dy.
/// @throws std::invalid_argument if the mask does not broadcast to x's shape.
///
/// @code
/// masked_fill(tensor({1, 2}), indices({1, 0}), -INFINITY);  // [-inf, 2]
/// @endcode
Tensor masked_fill(const Tensor& x, const IndexTensor& mask, Scalar value);

/// @}

}  // namespace gradus
