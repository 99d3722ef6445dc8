/// @file
/// The number types of the whole library.
#pragma once

#include <cstdint>

namespace gradus {

/// @addtogroup tensors
/// @{

/// The element type of every Tensor: float or, for tests that compare gradients with finite
/// differences, double, where the same sources are compiled with GRADUS_DOUBLE. GRADUS_PRECISION
/// gives types of the double build other symbols, so that objects of both do not link.
#ifdef GRADUS_DOUBLE
using Scalar = double;
#else
using Scalar = float;
#endif
/// @cond
#ifdef GRADUS_DOUBLE
#define GRADUS_PRECISION [[gnu::abi_tag("double")]]
#else
#define GRADUS_PRECISION
#endif
/// @endcond

/// Sizes, positions and offsets of elements. Signed, so that differences are safe.
using Index = std::int64_t;

/// @}

}  // namespace gradus
