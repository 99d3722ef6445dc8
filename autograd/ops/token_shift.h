/// @file
/// Channels that come from the position before.
#pragma once

#include "autograd/tensor.h"

namespace gradus {

/// @defgroup token_shift Token shift
/// @{

/// Takes the last `shifted` channels of each position from the position before it, and of the first
/// position from nowhere: they are 0.
///
/// So every layer sees pairs of neighbours without having to learn an attention that looks one step
/// back. Shapes: x [..., T, C], y as x. Gradient: dx = dy, its last channels moved back; it can be
/// differentiated again. Peng and others, "RWKV: reinventing RNNs for the transformer era", 2023,
/// which mixes the two positions with weights that are learned.
/// @throws std::invalid_argument unless x has two axes or more and 0 <= shifted <= C.
/// @code
/// token_shift(tensor({{1, 2}, {3, 4}, {5, 6}}), 1);  // [[1, 0], [3, 2], [5, 4]]
/// @endcode
Tensor token_shift(const Tensor& x, Index shifted);

/// @}

}  // namespace gradus
