/// @file
/// Attention of one head, in blocks of query rows that stay in the cache: the kernels of
/// scaled_dot_product_attention(), packed_self_attention() and cached_self_attention().
///
/// The weights are never stored. The forward pass keeps each row's largest score, top, and its sum
/// of e^(score - top); the backward pass computes the weights again from both (Rabe and Staats,
/// 2021; Dao and others, "FlashAttention", 2022). FlashAttention keeps one number, top + ln sum, in
/// which rounding loses ln sum beside a large top. Under a causal mask, blocks above the diagonal
/// are not computed.
#pragma once

#include "autograd/kernels/philox.h"
#include "autograd/scalar.h"
#include "autograd/shape.h"

namespace gradus::detail {

/// @addtogroup kernels
/// @{

/// Rows of numbers, `stride` elements apart.
template <class Element>
struct Rows {
  Element* data = nullptr;  ///< the first row
  Index stride = 0;         ///< from one row to the next
};

/// A number for each pair of a query and a key. Pairs may share a number.
template <class Element>
struct Grid {
  const Element* data = nullptr;  ///< for query 0 and key 0; nullptr if there are none
  Index row_stride = 0;           ///< from one query to the next; 0 if all share a row
  Index column_stride = 0;        ///< from one key to the next; 0 if all share a column
};

/// One head: its sizes, its operands, and the options that restrict or change its weights.
struct AttentionHead {
  Index queries;            ///< T, the number of queries
  Index keys;               ///< S, the number of keys
  Index width;              ///< D, the width of queries and keys
  Index out_width;          ///< the width of values
  Scalar scale;             ///< factor on the products of queries and keys
  Grid<Scalar> bias;        ///< added to these products
  bool causal;              ///< query t sees keys up to t + S - T
  Index window;             ///< of these, the last ones only; 0: all
  Grid<std::int32_t> mask;  ///< which keys a query may see; 0 hides a key
  Scalar dropout;           ///< probability with which a weight is dropped
  RandomKey random;         ///< the key for dropout
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

/// Computes the gradients of q, k and v, and of the scores, [T, S], from the results of
/// attention_forward() and the gradient of out. It writes the gradients and does not add to them;
/// but with `adds_to_keys` it adds to dk and dv, which several heads of queries may share.
/// It leaves the gradients of scores that the causal mask hides unchanged. It skips gradients
/// without data.
void attention_backward(const AttentionHead& h, Rows<const Scalar> out, const Scalar* sums,
                        Rows<const Scalar> dout, Rows<Scalar> dq, Rows<Scalar> dk, Rows<Scalar> dv,
                        Scalar* dscores, bool adds_to_keys);

/// @}

}  // namespace gradus::detail
