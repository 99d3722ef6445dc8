// The largest of the visible scores comes off first. A hidden score is never read.
#include "tutorials/11_masks_and_cross_attention/exercises.h"

std::vector<double> my_masked_softmax(const std::vector<double>& scores,
                                      const std::vector<bool>& visible) {
  double largest = -INFINITY, total = 0;
  for (std::size_t s = 0; s < scores.size(); ++s) {
    if (visible[s]) largest = std::max(largest, scores[s]);
  }
  std::vector<double> weights(scores.size());
  for (std::size_t s = 0; s < scores.size(); ++s) {
    if (visible[s]) total += weights[s] = std::exp(scores[s] - largest);
  }
  if (total == 0) return weights;
  for (double& weight : weights) weight /= total;
  return weights;
}
