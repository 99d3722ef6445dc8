/// @file
/// The fast paths of scaled_dot_product_attention() and packed_self_attention(), by blocks of query
/// rows that stay in the cache; and what one head is to them, for cached_self_attention().
///
/// The weights are never stored: forward keeps each row's largest score and the sum of exponentials
/// beyond it, and backward computes the weights again from those (Rabe and Staats, 2021; Dao and
/// others, "FlashAttention", 2022, who keep one number, top + ln sum, in which a large top swallows
/// the rest). Under a causal mask, blocks above the diagonal are not computed.
#pragma once

#include "autograd/ops/attention.h"

namespace gradus::fused {

/// @addtogroup kernels
/// @{

/// Rows of numbers, `stride` elements apart.
template <class Element>
struct Rows {
  Element* data = nullptr;  ///< the first row
  Index stride = 0;         ///< from one row to the next
};

/// A number for each query and key, some of which may share one.
template <class Element>
struct Grid {
  const Element* data = nullptr;  ///< for query 0 and key 0; none if there is no such number
  Index row_stride = 0;           ///< from one query to the next; 0 if all share a row
  Index column_stride = 0;        ///< from one key to the next; 0 if all share a column
};

/// One head: its sizes, its operands, and what restricts or perturbs its weights.
struct AttentionHead {
  Index queries;            ///< T, how many there are
  Index keys;               ///< S, how many there are
  Index width;              ///< D, of queries and keys
  Index out_width;          ///< of values
  Scalar scale;             ///< of the products of queries and keys
  Grid<Scalar> bias;        ///< added to them
  bool causal;              ///< query t sees keys up to t + S - T
  Grid<std::int32_t> mask;  ///< which keys a query may see; 0 hides
  Scalar dropout;           ///< probability with which a weight is dropped
  RandomKey random;         ///< of the dropout
  Index first_weight;       ///< the position of this head's first weight among all heads' weights
  Rows<const Scalar> q,     ///< [T, D]
      k,                    ///< [S, D]
      v;                    ///< [S, out_width]
};

/// out = dropout(softmax(scale q k^T + bias + mask)) v.
/// @param out [T, out_width]
/// @param sums [2, T]: each row's largest score, and 1 / sum of e^(score - largest); both 0 for a
/// fully masked row
void attention_forward(const AttentionHead& head, Rows<Scalar> out, Scalar* sums);

/// gradus::scaled_dot_product_attention() in one op, which saves q, k, v, the bias, y and two
/// numbers per query. The gradient of a bias takes room for all weights.
Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const AttentionOptions& options);

/// gradus::packed_self_attention() in one op without a copy of queries, keys and values, which
/// saves qkv, the bias, y and two numbers per query and head.
Tensor packed_self_attention(const Tensor& qkv, int heads, const AttentionOptions& options);

/// @}

}  // namespace gradus::fused
