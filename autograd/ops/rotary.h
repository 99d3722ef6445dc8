/// @file
/// Rotary positions.
#pragma once

#include <vector>

#include "autograd/tensor.h"

namespace gradus {

/// @defgroup rotary Rotary positions
/// Positions encoded by rotating queries and keys. Su and others, "RoFormer: enhanced
/// transformer with rotary position embedding", 2021.
/// @{

/// The cosines and sines for rotary(): row t holds \f$ \cos(t f_i) \f$ for all i, then
/// \f$ \sin(t f_i) \f$, with the frequencies \f$ f_i = \mathrm{base}^{-2i / D} \f$, i from 0 to
/// D / 2 - 1.
///
/// Shapes: y [positions, D], with D = width.
/// Example: `rotary_table(2, 2)` is `[[1, 0], [0.5403, 0.8415]]`.
/// @throws std::invalid_argument unless positions >= 0, base is finite and above 0, and width is
/// even.
Tensor rotary_table(Index positions, Index width, double base = 10000);

/// The same for any frequencies \f$ f_i \f$, with all cosines and sines multiplied by `scale`:
/// [positions, twice the number of frequencies]. Models that read longer texts than they were
/// trained on change the frequencies.
/// @throws std::invalid_argument unless positions >= 0 and all numbers are finite.
///
/// @code
/// rotary_table(2, std::vector{1.0}, 2);  // [[2, 0], [1.0806, 1.6829]]
/// @endcode
Tensor rotary_table(Index positions, const std::vector<double>& frequencies, double scale = 1);

/// Rotates pairs of channels by angles that grow with the position. So the product of a query and a
/// key depends on the distance between their positions, not on the positions themselves.
///
/// Channels i and i + D / 2 of position t are a pair. With row p = first + t of the table it
/// becomes
/// \f[ y_i = x_i \cos(p f_i) - x_{i + D/2} \sin(p f_i) \f]
/// \f[ y_{i + D/2} = x_i \sin(p f_i) + x_{i + D/2} \cos(p f_i) \f]
/// Shapes: x [..., T, D], table [at least first + T, D], y as x. Gradient: dx = dy rotated back, by
/// \f$ -p f_i \f$. The table gets no gradient.
/// Example: `rotary(tensor({{1, 0}, {1, 0}}), rotary_table(2, 2))` is `[[1, 0], [0.5403, 0.8415]]`.
/// @throws std::invalid_argument if the shapes do not fit or the table has too few rows.
Tensor rotary(const Tensor& x, const Tensor& table, Index first = 0);

/// rotary() for the queries and keys of all heads in one packed product.
///
/// Shapes: qkv [B, T, 3C] or, with kv_heads, [B, T, (H + 2 K) D], as in packed_self_attention(), y
/// the same, table [at least first + T, D]. Values are copied unchanged. Gradient: dqkv = dy
/// rotated back.
/// @throws std::invalid_argument if the shapes do not fit or the table has too few rows.
///
/// @code
/// packed_rotary(ones({1, 1, 6}), 1, rotary_table(2, 2), 1);
/// // [[[-0.3012, 1.3818, -0.3012, 1.3818, 1, 1]]]
/// @endcode
Tensor packed_rotary(const Tensor& qkv, int heads, const Tensor& table, Index first = 0,
                     int kv_heads = 0);

/// @}

}  // namespace gradus
