// rejected: no visible key
#include "tutorials/11_masks_and_cross_attention/exercises.h"

std::vector<double> my_masked_softmax(const std::vector<double>& scores,
                                      const std::vector<bool>& visible) {
  std::vector<double> weights = scores;
  for (std::size_t s = 0; s < scores.size(); ++s) weights[s] = visible[s] ? scores[s] : -INFINITY;
  const double largest = *std::max_element(weights.begin(), weights.end());
  double total = 0;
  for (double& w : weights) total += w = std::exp(w - largest);
  for (double& w : weights) w /= total;
  return weights;
}
