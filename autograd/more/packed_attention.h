/// @file
/// Self-attention of all heads at once, out of one product.
#pragma once

#include "autograd/ops/attention.h"

namespace gradus {

/// @addtogroup attention
/// @{

/// Self-attention of all heads straight out of one packed product of queries, keys and values,
/// without a copy.
///
/// Shapes: qkv [B, T, 3C] with the queries of head h in columns [h D, (h + 1) D), D = C / heads,
/// keys C further on and values 2C further on; y [B, T, C], heads side by side. Equal to splitting
/// qkv, split_heads() of each part and scaled_dot_product_attention(); a mask broadcasts to [B, H,
/// T, T]. Gradient: that of this composition.
/// Example: `packed_self_attention(ones({1, 1, 6}), 2)` is `[[[1, 1]]]`.
/// @throws std::invalid_argument as scaled_dot_product_attention().
Tensor packed_self_attention(const Tensor& qkv, int heads, const AttentionOptions& options = {});

/// @}

}  // namespace gradus
