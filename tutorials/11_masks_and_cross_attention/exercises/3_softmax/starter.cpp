// Exercise 11.3, 15 minutes: a masked softmax.
//
// scores and visible have one element for each key. Return the softmax over the visible keys, and 0
// for the others; if no key is visible, all weights are 0. What a hidden score is must not matter.
#include "tutorials/11_masks_and_cross_attention/exercises.h"

std::vector<double> my_masked_softmax(const std::vector<double>& scores,
                                      const std::vector<bool>& visible) {
  return std::vector<double>(scores.size());
}
