/// @file
/// Attention of one head, by blocks of query rows that stay in the cache: the kernels of
/// scaled_dot_product_attention(), packed_self_attention() and cached_self_attention().
///
/// The weights are never stored: forward keeps each row's largest score and the sum of exponentials
/// beyond it, and backward computes the weights again from those (Rabe and Staats, 2021; Dao and
/// others, "FlashAttention", 2022, who keep one number, top + ln sum, in which a large top swallows
/// the rest). Under a causal mask, blocks above the diagonal are not computed.
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

/// The gradients of q, k and v given what attention_forward() wrote and the gradient of out, all
/// written, none added to; and of the scores, [T, S], where what the causal restriction hides is
/// left as is. Those without data are not wanted.
void attention_backward(const AttentionHead& h, Rows<const Scalar> out, const Scalar* sums,
                        Rows<const Scalar> dout, Rows<Scalar> dq, Rows<Scalar> dk, Rows<Scalar> dv,
                        Scalar* dscores);

/// @}

}  // namespace gradus::detail
