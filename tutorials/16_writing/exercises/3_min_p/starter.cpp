// Exercise 16.3, 15 minutes: keep only what is probable enough.
//
// top_p keeps a fixed share of the probability, and top_k a fixed number of tokens. Min-p (Nguyen
// and others, 2024) keeps every token whose probability is at least min_p times the largest
// probability: many tokens if the model is unsure, few if it is sure.
//
// Return the token for a draw, uniform in [0, 1). Go through the kept tokens by their numbers, 0 to
// V - 1. The temperature is 1.
#include "tutorials/16_writing/exercises.h"

std::int32_t choose_min_p(const std::vector<Scalar>& logits, double min_p, Scalar draw) {
  return 0;
}
