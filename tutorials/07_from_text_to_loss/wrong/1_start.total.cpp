// rejected: the sum of the surprises, not their mean
#include "tutorials/07_from_text_to_loss/exercises.h"

double loss_at_the_start(int vocabulary) { return std::log(vocabulary); }

double perplexity(const std::vector<double>& probabilities) {
  double surprise = 0;
  for (const double p : probabilities) surprise -= std::log(p);
  return std::exp(surprise);
}
