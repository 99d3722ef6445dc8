/// @file
/// The number types of the whole library.
#pragma once

#include <cstdint>

namespace gradus {

/// @addtogroup tensors
/// @{

/// The element type of every Tensor: float, or double if the sources are compiled with
/// GRADUS_DOUBLE to compare gradients with finite differences. Object files of the two builds share
/// names but not layouts. So they do not link together: each needs a symbol that only its own
/// library has.
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
