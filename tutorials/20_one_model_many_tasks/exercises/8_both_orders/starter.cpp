// Exercise 20.8, 15 minutes: read a pair in both orders.
//
// Return logits [B, labels] for B pairs of texts. The GPT reads each pair twice, as "start, first,
// delimiter, second, extract" and as "start, second, delimiter, first, extract". The head reads the
// sum of the two features at extract. Texts have unequal lengths: pad on the right with kEnd.
// The pairs may be in one batch or in several.
//
// gpt.features(inputs) returns [B, T, C], and `embedding` picks rows of a matrix by their number,
// as in the page's Classifier.
#include "tutorials/20_one_model_many_tasks/exercises.h"

Tensor similarity(const Gpt& gpt, const Linear& head, const std::vector<Pair>& pairs,
                  const NewTokens& tokens) {
  return {};
}
