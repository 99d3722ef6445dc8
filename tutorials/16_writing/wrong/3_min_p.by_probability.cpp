// rejected: by their numbers
#include "tutorials/16_writing/exercises.h"

std::int32_t choose_min_p(const std::vector<Scalar>& logits, double min_p, Scalar draw) {
  std::vector<std::int32_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater<>(), [&](auto token) { return logits[token]; });
  std::vector<double> weights;
  double total = 0;
  for (const std::int32_t token : order) {
    const double weight = std::exp(double{logits[token]} - logits[order[0]]);
    if (weight < min_p) break;
    weights.push_back(weight), total += weight;
  }
  double rest = draw * total;
  std::size_t i = 0;
  while (i + 1 < weights.size() && rest >= weights[i]) rest -= weights[i++];
  return order[i];
}
