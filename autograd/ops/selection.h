/// @file
/// Choosing elements by a condition, comparisons and masks.
#pragma once

#include "autograd/index_tensor.h"
#include "autograd/tensor.h"

namespace gradus {

/// @defgroup select Select
/// Elements chosen by a condition. Conditions and masks are IndexTensors; anything but 0 is true.
/// They have no gradient. The gradients of where and masked_fill can be differentiated again.
/// @{

/// y = a where the condition holds, else b; all three broadcast by NumPy's rule.
///
/// Gradient: da = dy where the condition holds, else exactly 0; db the other way round; each
/// summed over repeated axes. What was not chosen may be infinite or NaN. The 0 that it receives is
/// still multiplied by the slopes of the ops that made it, and 0 times infinity is NaN: where those
/// overflow, choose their arguments too.
/// @throws std::invalid_argument if the shapes do not broadcast.
///
/// @code
/// where(indices({1, 0}), tensor({1, 2}), tensor({10, 20}));  // [1, 20]
/// where(causal_mask(T), scores, scalar(-INFINITY));          // before softmax
/// @endcode
Tensor where(const IndexTensor& condition, const Tensor& a, const Tensor& b);

///@{
/// 1 where a > b (a < b, a = b), else 0, for two tensors that broadcast, or a tensor and a number.
/// With NaN it is 0. Under `using namespace std`, which has a less and a greater, say gradus::less.
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
/// Which of `sources` positions each of `targets` positions may attend to: all up to its own. Both
/// end at the same position, so row t has ones up to column t + sources - targets. Unless given,
/// there are as many sources as targets.
///
/// Shapes: y [targets, sources].
/// @throws std::invalid_argument if a size is negative.
///
/// @code
/// causal_mask(2, 3);  // [[1, 1, 0], [1, 1, 1]]
/// causal_mask(2);     // [[1, 0], [1, 1]]
/// @endcode
IndexTensor causal_mask(Index targets, Index sources);
IndexTensor causal_mask(Index targets);
///@}

/// y = value where the mask holds, else x. The mask broadcasts to x's shape.
///
/// Gradient: dx = 0 where the mask holds, exactly and for any value, else dy.
/// @throws std::invalid_argument if the mask does not broadcast to x's shape.
///
/// @code
/// masked_fill(tensor({1, 2}), indices({1, 0}), -INFINITY);  // [-inf, 2]
/// @endcode
Tensor masked_fill(const Tensor& x, const IndexTensor& mask, Scalar value);

/// @}

}  // namespace gradus
