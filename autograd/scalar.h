/// @file
/// The number types of the whole library.
#pragma once

#include <cstdint>

namespace gradus {

/// @addtogroup tensors
/// @{

/// The element type of every Tensor. It is float; the tests compile the same sources a second time
/// with GRADUS_DOUBLE, so that gradients can be compared with finite differences exactly.
#ifdef GRADUS_DOUBLE
using Scalar = double;
#else
using Scalar = float;
#endif

/// Sizes, positions and offsets of elements. Signed, so that differences are safe.
using Index = std::int64_t;

/// @}

}  // namespace gradus
