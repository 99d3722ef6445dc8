/// @file
/// Scaled dot-product attention of one head, forward and backward, by blocks of query rows that
/// stay in the cache.
///
/// The weights are never stored: forward keeps each row's largest score and the sum of exponentials
/// beyond it, and backward computes the weights again from those (Rabe and Staats, 2021; Dao and
/// others, "FlashAttention", 2022, who keep one number, top + ln sum, in which a large top swallows
/// the rest). Under a causal mask, blocks above the diagonal are not computed.
#pragma once

#include "autograd/kernels/philox.h"
#include "autograd/scalar.h"

namespace gradus {

/// @addtogroup kernels
/// @{

/// Rows of numbers, `stride` elements apart.
struct Rows {
  Scalar* data = nullptr;  ///< the first row
  Index stride = 0;        ///< from one row to the next
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
  Rows q,                   ///< [T, D]
      k,                    ///< [S, D]
      v;                    ///< [S, out_width]
  Rows out;                 ///< [T, out_width], written by attention_forward()
  Scalar* tops;             ///< [T]: each row's largest score; 0 for a fully masked row
  Scalar* inverses;         ///< [T]: 1 / sum of e^(score - top); 0 for a fully masked row
};

/// out = dropout(softmax(scale q k^T + bias + mask)) v, and tops and inverses.
void attention_forward(const AttentionHead& head);

/// The gradients of q, k and v given that of out; all are written, none added to. That of the bias,
/// [T, S], goes to `dbias` unless that is nullptr; what the causal restriction hides is left as is.
void attention_backward(const AttentionHead& head, Rows dout, Rows dq, Rows dk, Rows dv,
                        Scalar* dbias);

/// @}

}  // namespace gradus
