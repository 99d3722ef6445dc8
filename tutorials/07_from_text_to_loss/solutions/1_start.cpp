// The surprise at a token of probability 1 / V is -ln(1 / V) = ln V. Perplexity is e to the mean
// surprise, so that V equally likely tokens have a perplexity of V.
#include "tutorials/07_from_text_to_loss/exercises.h"

double loss_at_the_start(int vocabulary) { return std::log(vocabulary); }

double perplexity(const std::vector<double>& probabilities) {
  double surprise = 0;
  for (const double p : probabilities) surprise -= std::log(p);
  return std::exp(surprise / static_cast<double>(probabilities.size()));
}
