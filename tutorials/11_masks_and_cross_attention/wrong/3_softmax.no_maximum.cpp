// rejected: scores of 10000
#include "tutorials/11_masks_and_cross_attention/exercises.h"

std::vector<double> my_masked_softmax(const std::vector<double>& scores,
                                      const std::vector<bool>& visible) {
  std::vector<double> weights(scores.size());
  double total = 0;
  for (std::size_t s = 0; s < scores.size(); ++s) {
    if (visible[s]) total += weights[s] = std::exp(scores[s]);
  }
  if (total == 0) return weights;
  for (double& w : weights) w /= total;
  return weights;
}
