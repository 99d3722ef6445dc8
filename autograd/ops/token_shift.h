/// @file
/// Channels that come from earlier positions.
#pragma once

#include <array>

#include "autograd/tensor.h"

namespace gradus {

/// @defgroup token_shift Token shift
/// Copies channels from earlier positions.
/// @{

/// The numbers of channels that a position takes from itself, and from one, two and three positions
/// before it.
using ShiftWidths = std::array<Index, 4>;

/// Half of C channels stay, a quarter comes from one position before, an eighth from two, the rest
/// from three.
/// @code
/// halving_widths(16);  // {8, 4, 2, 2}
/// @endcode
/// @throws std::invalid_argument if the number is negative.
ShiftWidths halving_widths(Index channels);

/// Takes each position's first channels from the position itself, and the others from the positions
/// before it. Before the first position there are zeros.
/// \f[ y_{t,c} = x_{t - k,\,c} \f]
/// Here k is 0 for the first `widths[0]` channels c, 1 for the next `widths[1]`, up to 3. So every
/// layer reads a few neighbouring positions without learning to attend to them. Shapes: x
/// [..., T, C], y as x, widths with sum C. Gradient: \f$ dx_{t,c} = dy_{t + k,\,c} \f$. Peng and
/// others, "RWKV: reinventing RNNs for the transformer era", 2023, mix a position and the one
/// before it with learned weights.
/// Example: `token_shift(tensor({{1, 2}, {3, 4}, {5, 6}}), {1, 1})` is `[[1, 0], [3, 2], [5, 4]]`.
/// @throws std::invalid_argument unless x has two axes or more and the widths make up its channels.
Tensor token_shift(const Tensor& x, const ShiftWidths& widths);

/// token_shift() of T new positions of B rows, with the positions before them in `before`.
///
/// Shapes: x [B, T, C], before [B, 3, C]. `before` must be zeros at first; each call leaves the
/// last three positions in it. Equal to the last T positions of token_shift() over all positions.
/// No gradient.
/// @throws std::invalid_argument if the shapes do not fit.
///
/// @code
/// Tensor before = zeros({1, 3, 2});
/// cached_token_shift(tensor({{{1, 2}}}), {1, 1}, before);  // gives [[[1, 0]]]
/// cached_token_shift(tensor({{{3, 4}}}), {1, 1}, before);  // gives [[[3, 2]]]
/// @endcode
Tensor cached_token_shift(const Tensor& x, const ShiftWidths& widths, Tensor& before);

/// @}

}  // namespace gradus
