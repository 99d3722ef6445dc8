/// @file
/// Reading elements by number, choosing by a condition, comparisons and masks.
#pragma once

#include "autograd/index_tensor.h"
#include "autograd/tensor.h"

namespace gradus {

/// @defgroup indexing Indexing
/// Elements read by number. Indices count from 0 and have no gradient; the gradients of the tensors
/// can be differentiated again. Sums over equal indices are made in the order of the indices,
/// whatever the number of threads: the same numbers give the same bits.
/// @{

/// The rows of a table that the tokens name: y[..., :] = table[tokens[...], :].
///
/// Shapes: tokens [...], table [V, C], y [..., C]. Gradient: dtable[v, :] = the sum of dy[..., :]
/// over all places where the token is v; of more than 2^20 tokens, the sum of the sums over each
/// 2^20 of them.
/// Example: `embedding(indices({2, 0}), tensor({{1, 2}, {3, 4}, {5, 6}}))` is `[[5, 6], [1, 2]]`.
/// @throws std::invalid_argument if the table is not a matrix or a token is outside [0, V).
Tensor embedding(const IndexTensor& tokens, const Tensor& table);

/// One element of x for each index, along one axis; for axis 1 of three, y[i, j, k] = x[i, index[i,
/// j, k], k].
///
/// Shapes: x and index have the same number of axes; index is nowhere larger than x except along
/// the axis, and y has its shape. Gradient: dx = at each element the sum of dy over the places that
/// read it, one by one: in float, such a sum of ones ends at 2^24.
/// @throws std::invalid_argument if the axis is absent, the shapes do not fit or an index is
/// outside [0, x.size(axis)).
///
/// @code
/// gather(tensor({{1, 2}, {3, 4}}), 1, indices({{1}, {0}}));  // [[2], [3]]
/// gather(log_softmax(logits), -1, labels.reshape({n, 1}));  // log-probability of each label
/// @endcode
Tensor gather(const Tensor& x, int axis, const IndexTensor& index);

/// @}

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

/// @}

}  // namespace gradus
