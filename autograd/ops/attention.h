/// @file
/// Scaled dot-product attention, for heads that were split (heads.h) or for one packed product.
#pragma once

#include <cmath>

#include "autograd/index_tensor.h"
#include "autograd/kernels/philox.h"
#include "autograd/tensor.h"

namespace gradus {

/// @defgroup attention Attention
/// Averages of values, weighted by how well their keys match a query. Vaswani and others,
/// "Attention is all you need", 2017.
/// @{

/// Options that restrict or change the attention weights.
struct AttentionOptions {
  IndexTensor mask = {};  ///< broadcasts to [..., T, S]; hides key s from query t where it is 0
  bool causal = false;    ///< hides keys after t + S - T from query t
  Index window = 0;       ///< with causal: keeps only the last `window` visible keys; 0: all
  Tensor bias = {};       ///< broadcasts to [..., T, S]; added to the scores \f$ c\,Q K^\top \f$
  Scalar dropout = 0;     ///< probability with which a weight is dropped, after the softmax
  RandomKey key = {};     ///< selects the weights that are dropped
  Scalar scale = 0;       ///< c, the factor on \f$ Q K^\top \f$; 0 means \f$ 1/\sqrt D \f$

  /// The factor on \f$ Q K^\top \f$ for heads of D = `width` channels, which may be 0.
  Scalar scale_of(Index width) const {
    return scale != 0 ? scale : 1 / std::sqrt(static_cast<Scalar>(width > 0 ? width : 1));
  }
};

namespace detail {
/// Throws an error of `op` if the options do not fit the `weights` [..., T, S].
void check_attention_options(const char* op, const AttentionOptions& options, const Shape& weights);
}  // namespace detail

/// Attention: for each query, the average of the values, weighted by how well their keys match it.
/// \f[ Y = \mathrm{dropout}(P)\,V, \qquad P = \mathrm{softmax}(c\,Q K^\top + \mathrm{bias} + M) \f]
/// Shapes: q [..., T, D], k [..., S, D], v [..., S, E], y [..., T, E], with the same leading axes.
/// M is the mask, the causal mask, or both. A query that may see no key gives zeros and a zero
/// gradient. The fused path does not store P: the backward pass computes it again. Gradient:
/// without dropout,
/// \f[ dV = P^\top dY, \quad dP = dY\,V^\top, \quad dS_{ts} = P_{ts} (dP_{ts} - dY_t \cdot Y_t) \f]
/// \f[ dQ = c\,dS\,K, \qquad dK = c\,dS^\top Q \f]
/// and for the bias \f$ dS \f$, summed over the axes along which the bias was repeated.
/// @throws std::invalid_argument if shapes do not fit, dropout is not in [0, 1), the scale is
/// negative or not finite, or there is a window that is negative or not causal.
///
/// @code
/// // Keys of zeros match every query equally: the result is the mean of the values.
/// scaled_dot_product_attention(ones({1, 2}), zeros({3, 2}), tensor({{1}, {2}, {6}}));  // [[3]]
/// @endcode
Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const AttentionOptions& options = {});

/// The weights \f$ P = \mathrm{softmax}(c\,Q K^\top + \mathrm{bias} + M) \f$ as a tensor [..., T,
/// S], before dropout, computed with elementary ops.
/// Shapes: q [..., T, D], k [..., S, D]. Gradient: the gradient of these ops.
/// @throws std::invalid_argument as scaled_dot_product_attention().
///
/// @code
/// attention_weights(ones({2, 1}), ones({2, 1}), {.causal = true});  // [[1, 0], [0.5, 0.5]]
/// @endcode
Tensor attention_weights(const Tensor& q, const Tensor& k, const AttentionOptions& options = {});

/// Self-attention of all heads, read directly from one packed product of queries, keys and values,
/// without a copy.
///
/// Shapes: qkv [B, T, 3C] with the queries of head h in columns [h D, (h + 1) D), D = C / heads,
/// keys C columns further on and values 2C further on; y [B, T, C], heads side by side. Equal to
/// splitting qkv, calling split_heads() on each part, then scaled_dot_product_attention(); a mask
/// broadcasts to [B, H, T, T]. Gradient: the gradient of these ops.
///
/// With K = kv_heads below H = heads, queries are grouped: qkv is [B, T, (H + 2 K) D], the keys and
/// values have K heads each, and H / K heads of queries share one of them, as repeat_heads() would
/// give each its own. Ainslie and others, "GQA", 2023. 0 stands for as many as queries.
/// Example: `packed_self_attention(ones({1, 1, 6}), 2)` is `[[[1, 1]]]`.
/// @throws std::invalid_argument as scaled_dot_product_attention(), and unless heads is a multiple
/// of kv_heads.
Tensor packed_self_attention(const Tensor& qkv, int heads, const AttentionOptions& options = {},
                             int kv_heads = 0);

/// @}

}  // namespace gradus
