/// @file
/// Tensors of random numbers, and random indices. Each number is a pure function of a RandomKey and
/// its place in the result (see kernels/philox.h): there is no generator state to store.
#pragma once

#include <vector>

#include "autograd/kernels/philox.h"
#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup random
/// @{

/// Uniform numbers in [low, high), \f$ x_i = \mathrm{low} + (\mathrm{high} - \mathrm{low})\,u_i \f$
/// with \f$ u_i \f$ = uniform_at(key, i). Shapes: any. Double and float builds agree up to
/// rounding.
/// @throws std::invalid_argument unless low < high and both are finite.
///
/// @code
/// Tensor w = uniform({2, 3}, {.seed = 1, .place = 7}, -0.1, 0.1);
/// @endcode
Tensor uniform(const Shape& shape, const RandomKey& key, Scalar low = 0, Scalar high = 1);

/// Normal numbers, \f$ x_i = \mathrm{mean} + \mathrm{std}\,z_i \f$ with \f$ z_i \f$ =
/// normal_at(key, i). Shapes: any. Double and float builds agree up to rounding.
/// @throws std::invalid_argument unless std >= 0 and both are finite.
Tensor normal(const Shape& shape, const RandomKey& key, Scalar mean = 0, Scalar std = 1);

/// A number in [0, n): \f$ \lfloor n\,w / 2^{64} \rfloor \f$, where w is the 64-bit word number
/// `element` of the key's stream (32-bit words 2 element, the lower half, and 2 element + 1). The
/// probabilities of two numbers differ by at most one part in \f$ \lfloor 2^{64} / n \rfloor \f$.
/// @throws std::invalid_argument unless n > 0.
Index uniform_index(const RandomKey& key, Index element, Index n);

/// The numbers 0 to n - 1 in random order, with the shuffle of Fisher and Yates: for i from n - 1
/// down to 1, it swaps entry i with entry uniform_index(key, i, i + 1).
/// @throws std::invalid_argument if n < 0.
std::vector<Index> permutation(Index n, const RandomKey& key);

/// @}

}  // namespace gradus
