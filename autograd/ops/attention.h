/// @file
/// Scaled dot-product attention.
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

namespace detail {
/// Reports options that do not fit the `weights` [..., T, S], on behalf of `op`.
void check_attention_options(const char* op, const AttentionOptions& options, const Shape& weights);
}  // namespace detail

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
