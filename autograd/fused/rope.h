/// @file
/// Rotary positions.
#pragma once

#include "autograd/tensor.h"

namespace gradus {

/// @defgroup rotary Rotary positions
/// Where a token stands, told by turning queries and keys. Su and others, "RoFormer: enhanced
/// transformer with rotary position embedding", 2021.
/// @{

/// The cosines and sines that rotary() turns by: row t holds cos(t f_i), then sin(t f_i), with the
/// frequencies f_i = base^(-2 i / D), i below D / 2.
///
/// Shapes: y [positions, D], with D = width.
/// @throws std::invalid_argument unless positions >= 0, base > 0 and width is even.
///
/// @code
/// rotary_table(2, 2);  // [[1, 0], [0.5403, 0.8415]]
/// @endcode
Tensor rotary_table(Index positions, Index width, double base = 10000);

/// Turns pairs of channels by angles that grow with the position, so that the product of a query
/// and a key depends on how far apart they stand and not on where.
///
/// Channels i and i + D / 2 of position t are a pair (a, b), which becomes (a cos - b sin, a sin +
/// b cos) with row `first + t` of the table. Shapes: x [..., T, D], table [at least first + T, D],
/// y as x. Gradient: dx = dy turned back; it can be differentiated again. The table gets none.
/// @throws std::invalid_argument if the shapes do not fit or the table has too few rows.
///
/// @code
/// rotary(tensor({{1, 0}, {1, 0}}), rotary_table(2, 2));  // [[1, 0], [0.5403, 0.8415]]
/// @endcode
Tensor rotary(const Tensor& x, const Tensor& table, Index first = 0);

/// What to do with queries and keys before they meet: see prepare_heads().
struct HeadPreparation {
  bool normalise = false;  ///< divide each by its root mean square
  Tensor table = {};       ///< turn by this: a rotary_table(), or undefined for no turning
  Index first = 0;         ///< the position of the first row
};

/// Normalises and turns the queries and keys of every head, and leaves the values as they are.
///
/// qkv [B, T, 3 C] holds queries, keys and values as packed_self_attention() takes them; y has the
/// same shape. Normalising is rms_norm() over a head's channels, without a gain (Henry and others,
/// "Query-key normalization for transformers", 2020, there with another norm); turning is
/// rotary(). One kernel forward and one backward, which cannot be differentiated again
/// (prepare_heads_composed() can).
/// @throws std::invalid_argument if the shapes do not fit.
///
/// @code
/// prepare_heads(2 * ones({1, 1, 6}), 1, {.normalise = true});  // [[[1, 1, 1, 1, 2, 2]]]
/// @endcode
Tensor prepare_heads(const Tensor& qkv, int heads, const HeadPreparation& preparation);

/// prepare_heads() out of rms_norm_composed() and rotary().
/// @throws std::invalid_argument if the shapes do not fit.
///
/// @code
/// prepare_heads_composed(2 * ones({1, 1, 6}), 1, {.normalise = true});
/// // [[[1, 1, 1, 1, 2, 2]]]
/// @endcode
Tensor prepare_heads_composed(const Tensor& qkv, int heads, const HeadPreparation& preparation);

/// @}

}  // namespace gradus
