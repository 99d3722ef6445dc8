/// @file
/// Reading elements by number: rows of a table, and single elements along an axis.
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
/// over all places where the token is v.
/// @throws std::invalid_argument if the table is no matrix or a token is outside [0, V).
///
/// @code
/// embedding(indices({2, 0}), tensor({{1, 2}, {3, 4}, {5, 6}}));  // [[5, 6], [1, 2]]
/// @endcode
Tensor embedding(const IndexTensor& tokens, const Tensor& table);

/// One element of x for each index, along one axis; for axis 1 of three, y[i, j, k] = x[i, index[i,
/// j, k], k].
///
/// Shapes: x and index have the same number of axes; index is nowhere larger than x except along
/// the axis, and y has its shape. Gradient: dx = at each element the sum of dy over the places that
/// read it.
/// @throws std::invalid_argument if the axis is absent, the shapes do not fit or an index is
/// outside [0, x.size(axis)).
///
/// @code
/// gather(tensor({{1, 2}, {3, 4}}), 1, indices({{1}, {0}}));  // [[2], [3]]
/// gather(log_softmax(logits), -1, reshape(labels, {n, 1}));  // log-probability of each label
/// @endcode
Tensor gather(const Tensor& x, int axis, const IndexTensor& index);

/// @}

}  // namespace gradus
