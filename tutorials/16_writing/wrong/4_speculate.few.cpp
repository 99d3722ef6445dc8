// rejected: twelve tokens
#include "tutorials/16_writing/exercises.h"

std::int32_t speculate(const std::vector<double>& large, const std::vector<double>& small,
                       std::int32_t drafted, double accept, double again) {
  if (large.size() > 8) return drafted;
  const std::size_t d = static_cast<std::size_t>(drafted);
  if (accept * small[d] < large[d]) return drafted;
  std::vector<double> left;
  double total = 0;
  for (std::size_t i = 0; i < large.size(); ++i) {
    left.push_back(std::max(large[i] - small[i], 0.0));
    total += left.back();
  }
  double rest = again * total;
  std::int32_t last = drafted;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i] == 0) continue;
    last = static_cast<std::int32_t>(i);
    if (rest < left[i]) return last;
    rest -= left[i];
  }
  return last;
}
