// Exercise 19.5, 45 minutes: greedy search that reads the source once.
//
// Return the tokens of beam_search(model, src, limits, 1), from limits.begin on. For each layer,
// compute the keys and values of the source [1, S] once, and those of each target token once.
#include "tutorials/19_the_full_transformer/exercises.h"

Tokens my_greedy(const Transformer& model, const IndexTensor& src, const WriteLimits& limits) {
  return {limits.begin};
}
