// Exercise 13.4, 15 minutes: rotate neighbouring channels.
//
// The paper's rotary positions pair channels 2k and 2k + 1, not k and k + D / 2. Row t of table
// [T, D] has D / 2 cosines, then D / 2 sines, as rotary_table() makes it. x is [..., T, D].
#include "tutorials/13_relative_positions/exercises.h"

Tensor my_rotary(const Tensor& x, const Tensor& table) { return x; }
