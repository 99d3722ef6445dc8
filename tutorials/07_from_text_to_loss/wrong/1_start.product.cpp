// rejected: the product of many probabilities is 0
#include "tutorials/07_from_text_to_loss/exercises.h"

double loss_at_the_start(int vocabulary) { return std::log(vocabulary); }

double perplexity(const std::vector<double>& probabilities) {
  float product = 1;
  for (const double p : probabilities) product *= static_cast<float>(p);
  return std::pow(product, -1 / static_cast<double>(probabilities.size()));
}
