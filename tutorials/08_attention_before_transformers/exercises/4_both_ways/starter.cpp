// Exercise 08.4, 5 minutes: reading in both directions
#include "tutorials/08_attention_before_transformers/exercises.h"

// x [B, T, C] to [B, T, 2 H]: at each position, what was read up to it from the left, by `forward`,
// and what was read up to it from the right, by `backward`.
Tensor both_ways(const RecurrentLayer& forward, const RecurrentLayer& backward, const Tensor& x) {
  return Tensor();
}
