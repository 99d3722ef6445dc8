/// @file
/// Self-attention that remembers: for models that write token by token.
#pragma once

#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup attention
/// @{

/// The part of one text of x [B, ...], as [1, ...] that shares its memory; undefined if x is.
/// No gradient.
/// @throws std::invalid_argument if there is no such text.
/// @code
/// part_of_text(tensor({{1, 2}, {3, 4}}), 1);  // [[3, 4]]
/// @endcode
Tensor part_of_text(const Tensor& x, Index text);

/// The keys and values of what one layer has seen so far of B texts, with room for S positions. A
/// copy shares keys and values, and has a length of its own.
struct KeyValueCache {
  Tensor keys;       ///< [B, H, S, D]
  Tensor values;     ///< [B, H, S, D]
  Index length = 0;  ///< the positions filled, the same in all texts

  KeyValueCache() = default;
  /// Takes all the room there will be, and leaves it empty.
  KeyValueCache(Index texts, int heads, Index positions, Index head_width);

  /// The part of one text, [1, H, S, D], which shares its memory.
  KeyValueCache of_text(Index text) const;
};

/// Causal self-attention of T new positions, to those in the cache and up to themselves; their keys
/// and values are added to the cache.
///
/// Shapes: qkv [B, T, 3C] as in packed_self_attention(), cache [B, H, S, D] with C = H D, y [B, T,
/// C], bias undefined or [H, T, S'] for the S' positions in the cache after the call. Equal to the
/// last T rows of packed_self_attention() over all positions, with causal = true. No gradient.
/// @throws std::invalid_argument if shapes do not fit, if the cache has no room for T more, or if
/// qkv wants a gradient.
///
/// @code
/// KeyValueCache cache(1, heads, 64, width);
/// cached_self_attention(qkv_of_prompt, cache);   // [1, T, 3C] to [1, T, C]
/// cached_self_attention(qkv_of_a_token, cache);  // [1, 1, 3C] to [1, 1, C]
/// @endcode
Tensor cached_self_attention(const Tensor& qkv, KeyValueCache& cache,
                             const Tensor& bias = Tensor());

/// @}

}  // namespace gradus
