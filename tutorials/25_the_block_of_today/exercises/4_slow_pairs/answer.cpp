// A pair turns trained f / (2 pi) times in `trained` positions.
#include "tutorials/25_the_block_of_today/exercises.h"

std::vector<double> slow_pairs(const std::vector<double>& frequencies, double s, Index trained,
                               double low, double high) {
  std::vector<double> result;
  for (const double f : frequencies) {
    const double turns = double(trained) * f / (2 * std::numbers::pi);
    const double share = std::clamp((turns - low) / (high - low), 0.0, 1.0);
    result.push_back((1 - share) * f / s + share * f);
  }
  return result;
}
