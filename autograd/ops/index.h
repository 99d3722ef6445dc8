/// @file
/// Reads elements by index, and finds the indices of the largest elements.
#pragma once

#include <concepts>
#include <utility>
#include <vector>

#include "autograd/check.h"
#include "autograd/index_tensor.h"
#include "autograd/ops/reduce.h"
#include "autograd/tensor.h"

namespace gradus {

/// @defgroup indexing Indexing
/// Elements read by index. Indices count from 0 and have no gradient; the gradients of the tensors
/// can be differentiated again. Gradients at equal indices are added in the order of the indices,
/// for any number of threads: the same numbers give the same bits.
/// @{

/// The row of a table for each token: y[..., :] = table[tokens[...], :].
///
/// Shapes: tokens [...], table [V, C], y [..., C]. Gradient: dtable[v, :] = the sum of dy[..., :]
/// over all places where the token is v. More than 2^20 tokens are summed in blocks of 2^20, and
/// the sums of the blocks are then added.
/// Example: `embedding(indices({2, 0}), tensor({{1, 2}, {3, 4}, {5, 6}}))` is `[[5, 6], [1, 2]]`.
/// @throws std::invalid_argument if the table is not a matrix or a token is outside [0, V).
Tensor embedding(const IndexTensor& tokens, const Tensor& table);

/// One element of x for each index, along one axis. For axis 1 of three, y[i, j, k] = x[i,
/// index[i, j, k], k].
///
/// Shapes: x and index have the same number of axes. Only along `axis` may index be larger than x.
/// y has the shape of index. Gradient: dx at each element is the sum of dy over the places that
/// read it, added one by one: in float, a sum of ones stops at 2^24.
/// @throws std::invalid_argument if the axis is absent, the shapes do not fit or an index is
/// outside [0, x.size(axis)).
///
/// @code
/// gather(tensor({{1, 2}, {3, 4}}), 1, indices({{1}, {0}}));  // [[2], [3]]
/// gather(log_softmax(logits), -1, labels.reshape({n, 1}));  // log-probability of each label
/// @endcode
Tensor gather(const Tensor& x, int axis, const IndexTensor& index);

/// The index of the largest element along one axis. Of equal elements it is the first; NaN counts
/// as larger than any number. Without an axis, the index counts all elements of x in row-major
/// order, and y has shape [].
/// @throws std::invalid_argument if the axis is absent, more than one is named, or there are no
/// elements to choose from.
///
/// @code
/// argmax(tensor({{1, 5, 3}, {9, 8, 7}}), -1);  // [1, 0]
/// argmax(tensor({{1, 5, 3}, {9, 8, 7}}));      // 3
/// @endcode
IndexTensor argmax(const Tensor& x, const Axes& axis = {}, ReduceOptions options = {});

/// The result of topk().
struct TopK {
  Tensor values;        ///< the elements, the largest first
  IndexTensor indices;  ///< their indices along the axis
};

/// The k largest elements along one axis, in descending order, and their indices. Equal elements
/// keep their order; NaN comes before any number.
///
/// Shapes: x [..., n, ...], values and indices [..., k, ...]. Gradient: dx = dvalues at the chosen
/// elements, otherwise 0 (values is a gather()).
/// @throws std::invalid_argument if the axis is absent or k is outside [0, n].
///
/// @code
/// topk(tensor({1, 5, 3}), 2).values;   // [5, 3]
/// topk(tensor({1, 5, 3}), 2).indices;  // [1, 2]
/// @endcode
TopK topk(const Tensor& x, Index k, int axis = -1);

/// A row for each index: 1 at that index, otherwise 0.
///
/// Shapes: index [...], y [..., classes]. No gradient.
/// Example: `one_hot(indices({2, 0}), 3)` is `[[0, 0, 1], [1, 0, 0]]`.
/// @throws std::invalid_argument if an index is outside [0, classes).
Tensor one_hot(const IndexTensor& index, Index classes);

/// @}

/// @addtogroup tensors
/// @{

/// The index tensor [N] with the N integers of a vector, for example labels from a file:
/// `indices(labels)`. `indices(tokens).reshape({B, T})` arranges tokens in rows.
/// @throws std::invalid_argument if a number does not fit into int32.
template <std::integral Integer>
IndexTensor indices(const std::vector<Integer>& values) {
  const IndexTensor x({static_cast<Index>(values.size())});
  std::int32_t* to = x.mutable_data();
  for (std::size_t i = 0; i < values.size(); ++i) {
    // The plus turns bool and char, which std::in_range does not take, into int.
    detail::check(std::in_range<std::int32_t>(+values[i]),
                  "indices: numbers must fit into int32, got ", +values[i], " at ", i);
    to[i] = static_cast<std::int32_t>(values[i]);
  }
  return x;
}

/// @}

}  // namespace gradus
