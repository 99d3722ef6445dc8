/// @file
/// Scaled dot-product attention, and heads taken apart and put together.
#pragma once

#include <cmath>

#include "autograd/index_tensor.h"
#include "autograd/kernels/philox.h"
#include "autograd/tensor.h"

namespace gradus {

/// @defgroup attention Attention
/// Values mixed by how well their keys match a query. Vaswani and others, "Attention is all you
/// need", 2017.
/// @{

/// What restricts and perturbs the attention weights.
struct AttentionOptions {
  IndexTensor mask = {};  ///< broadcasts to [..., T, S]; query t sees key s where it is not 0
  bool causal = false;    ///< query t sees keys up to t + S - T only
  Tensor bias = {};       ///< broadcasts to [..., T, S]; added to scale q k^T, for positions
  Scalar dropout = 0;     ///< probability with which a weight is dropped, after the softmax
  RandomKey key = {};     ///< which weights are dropped
  Scalar scale = 0;       ///< what q k^T is multiplied by; 0 stands for 1 / sqrt(D)

  /// What q k^T is multiplied by for heads of D = `width` channels.
  Scalar scale_of(Index width) const {
    return scale != 0 ? scale : 1 / std::sqrt(static_cast<Scalar>(width));
  }
};

/// Attention: y = dropout(softmax(scale q k^T + bias + mask)) v.
///
/// Shapes: q [..., T, D], k [..., S, D], v [..., S, E], y [..., T, E], with the same leading axes.
/// Mask and causal restriction may be combined. A query that may see nothing gives zeros and a zero
/// gradient. The weights P are not kept: backward computes them again, by blocks. Gradient, without
/// dropout: dv = P^T dy, dP = dy v^T, dscores = P (dP - sum(dP P)) row by row, dq = scale dscores
/// k, dk = scale dscores^T q; dbias = dscores, summed over what it was repeated along.
/// @throws std::invalid_argument if shapes do not fit or dropout is not in [0, 1).
///
/// @code
/// // Keys of 0 match nothing better than anything: the mean of the values.
/// scaled_dot_product_attention(ones({1, 2}), zeros({3, 2}), tensor({{1}, {2}, {6}}));  // [[3]]
/// @endcode
Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const AttentionOptions& options = {});

/// Self-attention of all heads straight out of one packed product of queries, keys and values,
/// without a copy.
///
/// Shapes: qkv [B, T, 3C] with the queries of head h in columns [h D, (h + 1) D), D = C / heads,
/// keys C further on and values 2C further on; y [B, T, C], heads side by side. Equal to splitting
/// qkv, split_heads() of each part and scaled_dot_product_attention(); a mask broadcasts to [B, H,
/// T, T]. Gradient: that of this composition.
/// @throws std::invalid_argument if shapes do not fit or dropout is not in [0, 1).
///
/// @code
/// packed_self_attention(ones({1, 1, 6}), 2);  // [[[1, 1]]]
/// @endcode
Tensor packed_self_attention(const Tensor& qkv, int heads, const AttentionOptions& options = {});

/// The weights softmax(scale q k^T + bias + mask) as a tensor [..., T, S], before dropout, out of
/// elementary ops.
///
/// Shapes: q [..., T, D], k [..., S, D]. Gradient: that of the composition.
/// @throws std::invalid_argument if shapes do not fit.
///
/// @code
/// attention_weights(ones({2, 1}), ones({2, 1}), {.causal = true});  // [[1, 0], [0.5, 0.5]]
/// @endcode
Tensor attention_weights(const Tensor& q, const Tensor& k, const AttentionOptions& options = {});

/// @}

}  // namespace gradus
