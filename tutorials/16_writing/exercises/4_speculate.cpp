// Exercise 16.4, 45 minutes: a small model drafts, a large one decides.
//
// A large model can check several drafted tokens in one pass, where it would need one pass for each
// of its own. Speculative sampling (Leviathan and others, 2023) takes or replaces each drafted
// token so that the result has exactly the large model's probabilities, however bad the draft.
//
// `large` and `small` are probabilities of all tokens by the two models. `drafted` was drawn from
// `small`. `accept` and `again` are independent draws, uniform in [0, 1): the first decides whether
// the draft is kept, the second chooses another token if it is not. Return the token.
#include "tutorials/16_writing/exercises.h"

std::int32_t speculate(const std::vector<double>& large, const std::vector<double>& small,
                       std::int32_t drafted, double accept, double again) {
  return drafted;
}
