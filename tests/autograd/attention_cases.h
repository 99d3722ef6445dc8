/// @file
/// Helpers for the tests of attention.
#pragma once

#include "autograd/ops/attention.h"
#include "autograd/ops/shape.h"
#include "tests/autograd/expect.h"

namespace gradus {

/// Query, key and value [2, 3, T, 5], [2, 3, S, 5] and [2, 3, S, 7].
inline Tensors operands(Index targets, Index sources) {
  return {drawn({2, 3, targets, 5}, 0), drawn({2, 3, sources, 5}, 1), drawn({2, 3, sources, 7}, 2)};
}

/// A mask of zeros and ones in an irregular pattern.
inline IndexTensor scattered(const Shape& shape) {
  IndexTensor mask(shape);
  for (Index i = 0; i < mask.size(); ++i) {
    mask.mutable_data()[i] = static_cast<std::int32_t>(bits_at({.seed = 11}, i) % 3 != 0) * 5;
  }
  return mask;
}

/// Computes packed_self_attention() from its definition: split, separate heads, attention, join
/// heads.
inline Tensor unpacked(const Tensor& qkv, Index heads, const AttentionOptions& options) {
  const Index b = qkv.size(0), t = qkv.size(1), d = qkv.size(2) / 3 / heads;
  Tensors x;
  for (const Tensor& part : split(qkv, 3, -1)) {
    x.push_back(permute(reshape(part, {b, t, heads, d}), {0, 2, 1, 3}));
  }
  const Tensor y = scaled_dot_product_attention(x[0], x[1], x[2], options);
  return reshape(permute(y, {0, 2, 1, 3}), {b, t, heads * d});
}

/// Gives each head of queries in qkv [B, T, (H + 2 K) D] a copy of its keys and values: [B, T, 3 H
/// D].
inline Tensor with_own_keys(const Tensor& qkv, Index heads, Index kv_heads) {
  const Index d = qkv.size(2) / (heads + 2 * kv_heads);
  const auto columns = [&](Index head) { return slice(qkv, 2, head * d, (head + 1) * d); };
  Tensors parts{slice(qkv, 2, 0, heads * d)};
  for (const Index first : {heads, heads + kv_heads}) {
    for (Index h = 0; h < heads; ++h) {
      parts.push_back(columns(first + h * kv_heads / heads));
    }
  }
  return concat(parts, 2);
}

}  // namespace gradus
