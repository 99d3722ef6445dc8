// rejected: how often
#include "tutorials/16_writing/exercises.h"

std::int32_t choose_min_p(const std::vector<Scalar>& logits, double, Scalar) {
  return static_cast<std::int32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}
