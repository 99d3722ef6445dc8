// rejected: logits of some hundred
#include "tutorials/16_writing/exercises.h"

std::int32_t choose_min_p(const std::vector<Scalar>& logits, double min_p, Scalar draw) {
  const double largest = *std::max_element(logits.begin(), logits.end());
  std::vector<double> weights;
  double total = 0;
  for (const Scalar logit : logits) {
    const double weight = static_cast<double>(std::exp(Scalar(logit)));
    weights.push_back(weight >= min_p * double{std::exp(Scalar(largest))} ? weight : 0);
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
