/// @file
/// The fast path of cross_entropy().
#pragma once

#include "autograd/ops/cross_entropy.h"

namespace gradus::fused {

/// @addtogroup kernels
/// @{

/// gradus::cross_entropy() in one op, which saves logits, targets and two numbers per row. `weight`
/// is what each position counts for: 1 by the number of those that are not ignored.
Tensor cross_entropy(const Tensor& logits, const IndexTensor& targets,
                     const CrossEntropyOptions& options, Scalar weight);

/// @}

}  // namespace gradus::fused
