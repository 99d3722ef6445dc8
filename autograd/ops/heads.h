/// @file
/// Splitting channels into attention heads, and joining heads.
#pragma once

#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup attention
/// @{

/// Channels [h D, (h + 1) D) become head h: x [B, T, H D] to [B, H, T, D].
/// Gradient: dx = join_heads(dy).
/// @throws std::invalid_argument unless x has three axes and the last one is a multiple of `heads`.
///
/// @code
/// split_heads(reshape(arange(8), {1, 2, 4}), 2);  // [[[[0, 1], [4, 5]], [[2, 3], [6, 7]]]]
/// @endcode
Tensor split_heads(const Tensor& x, Index heads);

/// Reverses split_heads(): x [B, H, T, D] to [B, T, H D]. Gradient: dx = split_heads(dy).
/// Example: `join_heads(reshape(arange(4), {1, 2, 1, 2}))` is `[[[0, 1, 2, 3]]]`.
/// @throws std::invalid_argument unless x has four axes.
Tensor join_heads(const Tensor& x);

/// @}

}  // namespace gradus
