// Exercise 08.4, 5 minutes: reading in both directions
#include "tutorials/08_attention_before_transformers/exercises.h"

// x [B, T, C] to [B, T, 2 H]: at each position, the state of `from_left` after reading from the
// first position up to it, and the state of `from_right` after reading from the last one back to
// it.
Tensor both_ways(const RecurrentLayer& from_left, const RecurrentLayer& from_right,
                 const Tensor& x) {
  return Tensor();
}
