/// @file
/// The number types of the whole library.
#pragma once

#include <cstdint>

namespace gradus {

/// @addtogroup tensors
/// @{

/// The element type of every Tensor: float or, to compare gradients with finite differences,
/// double, where the same sources are compiled with GRADUS_DOUBLE. Objects of the two share names
/// but not layouts, so they do not link: each needs a symbol of its own library.
#ifdef GRADUS_DOUBLE
using Scalar = double;
#else
using Scalar = float;
#endif
/// @cond
#ifdef GRADUS_DOUBLE
#define GRADUS_BUILT gradus_built_in_double
#else
#define GRADUS_BUILT gradus_built_in_float
#endif
extern "C" const char GRADUS_BUILT;
namespace detail {
[[gnu::used]] inline const char* const same_precision = &GRADUS_BUILT;
}
/// @endcond

/// Sizes, positions and offsets of elements. Signed, so that differences are safe.
using Index = std::int64_t;

/// @}

}  // namespace gradus
