// The largest weight is 1, so min_p compares with the weights themselves.
#include "tutorials/16_writing/exercises.h"

std::int32_t choose_min_p(const std::vector<Scalar>& logits, double min_p, Scalar draw) {
  const double largest = *std::max_element(logits.begin(), logits.end());
  std::vector<double> weights;
  double total = 0;
  for (const Scalar logit : logits) {
    const double weight = std::exp(double{logit} - largest);
    weights.push_back(weight >= min_p ? weight : 0);
    total += weights.back();
  }
  double rest = draw * total;
  std::int32_t token = 0, last = 0;
  for (const double weight : weights) {
    if (weight > 0) {
      last = token;
      if (rest < weight) return token;
      rest -= weight;
    }
    ++token;
  }
  return last;
}
