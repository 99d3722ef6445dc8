/// @file
/// Self-attention with a kv cache, for models that generate token by token.
#pragma once

#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup attention
/// @{

/// One row of x [B, ...] as a tensor [1, ...] that shares x's memory; undefined if x is. No
/// gradient.
/// Example: `batch_row(tensor({{1, 2}, {3, 4}}), 1)` is `[[3, 4]]`.
/// @throws std::invalid_argument if there is no such row.
Tensor batch_row(const Tensor& x, Index row);

/// One layer's kv cache: the keys and values of the positions read so far, for B rows and at most S
/// positions. A copy shares the keys and values and has its own length.
struct KvCache {
  Tensor keys;       ///< [B, H, S, D]; [B, K, S, D] for K kv heads that groups of queries share
  Tensor values;     ///< the same shape
  Index length = 0;  ///< the number of positions filled, the same in all rows

  KvCache() = default;
  /// Allocates the full capacity; length is 0.
  /// @throws std::invalid_argument if a size is negative.
  KvCache(Index batch_size, int heads, Index positions, Index head_width);

  /// The cache of one row of the batch, [1, H, S, D]. It shares the memory of this cache.
  KvCache of_row(Index row) const;
};

/// Causal self-attention of T new positions to the positions in the cache and to themselves. Their
/// keys and values are added to the cache.
///
/// Shapes: qkv [B, T, (H + 2 K) D] as in packed_self_attention(), cache [B, K, S, D], y [B, T, H
/// D], bias undefined or [H, T, S'] for the S' positions in the cache after the call. With a
/// `window` above 0, each position attends to the last `window` positions up to its own. Equal to
/// the last T rows of packed_self_attention() over all positions, with causal = true. No gradient.
/// @throws std::invalid_argument if shapes do not fit, if the cache has no room for T more, if the
/// window is negative, or if qkv requires a gradient.
///
/// @code
/// KvCache cache(1, heads, 64, width);
/// cached_self_attention(qkv_of_prompt, cache);   // [1, T, 3C] to [1, T, C]
/// cached_self_attention(qkv_of_a_token, cache);  // [1, 1, 3C] to [1, 1, C]
/// @endcode
Tensor cached_self_attention(const Tensor& qkv, KvCache& cache, const Tensor& bias = Tensor(),
                             Index window = 0);

/// @}

}  // namespace gradus
