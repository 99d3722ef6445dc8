// rejected: a hidden score 2000 above the others
#include "tutorials/11_masks_and_cross_attention/exercises.h"

std::vector<double> my_masked_softmax(const std::vector<double>& scores,
                                      const std::vector<bool>& visible) {
  const double largest = *std::max_element(scores.begin(), scores.end());
  std::vector<double> weights;
  double total = 0;
  for (std::size_t s = 0; s < scores.size(); ++s) {
    weights.push_back(visible[s] ? std::exp(scores[s] - largest) : 0);
    total += weights.back();
  }
  for (double& w : weights) w /= total;
  return weights;
}
