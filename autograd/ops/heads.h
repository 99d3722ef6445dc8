/// @file
/// Splitting channels into attention heads, and joining heads.
#pragma once

#include <vector>

#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup attention
/// @{

/// Channels [h D, (h + 1) D) become head h: x [B, T, H D] to [B, H, T, D].
/// Gradient: dx = join_heads(dy).
/// @throws std::invalid_argument unless x has three axes and the last one is a multiple of `heads`.
///
/// @code
/// split_heads(reshape(arange(8), {1, 2, 4}), 2);  // [[[[0, 1], [4, 5]], [[2, 3], [6, 7]]]]
/// @endcode
Tensor split_heads(const Tensor& x, Index heads);

/// Reverses split_heads(): x [B, H, T, D] to [B, T, H D]. Gradient: dx = split_heads(dy).
/// Example: `join_heads(reshape(arange(4), {1, 2, 1, 2}))` is `[[[0, 1, 2, 3]]]`.
/// @throws std::invalid_argument unless x has four axes.
Tensor join_heads(const Tensor& x);

/// Each head `times` times, one after another: x [B, K, T, D] to [B, K times, T, D]. So grouped
/// queries become ordinary attention, although several of their heads share one head of keys and
/// values.
/// Gradient: dx is the sum of dy over the copies.
/// @throws std::invalid_argument unless x has four axes and times is at least 1.
///
/// @code
/// repeat_heads(reshape(arange(2), {1, 2, 1, 1}), 2);  // [[[[0]], [[0]], [[1]], [[1]]]]
/// @endcode
Tensor repeat_heads(const Tensor& x, Index times);

/// @}

namespace detail {

/// The heads in one packed product qkv [B, T, (H + 2 K) D]: the H heads of queries, then K heads of
/// keys, then K heads of values. H / K heads of queries share a head of keys and of values.
struct PackedHeads {
  Index queries = 0;  ///< H
  Index keys = 0;     ///< K
  Index width = 0;    ///< D

  /// The number of heads of queries that share a head of keys.
  Index group() const { return queries / keys; }
  /// Queries, keys and values: [B, T, H D], [B, T, K D] and [B, T, K D].
  std::vector<Tensor> split(const Tensor& qkv) const;
};

/// Returns the heads of `qkv`; kv_heads is K, or 0 for K = H.
/// @throws std::invalid_argument naming `op` if they do not fit.
PackedHeads packed_heads(const char* op, const Tensor& qkv, int heads, int kv_heads);

}  // namespace detail

}  // namespace gradus
