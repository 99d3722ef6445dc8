// rejected: how often
#include "tutorials/16_writing/exercises.h"

std::int32_t choose_min_p(const std::vector<Scalar>& logits, double min_p, Scalar draw) {
  const Tensor p = softmax(tensor({std::ssize(logits)}, logits));
  double total = 0;
  for (const Scalar x : p) total += x >= min_p ? x : 0;
  double rest = draw * total;
  std::int32_t last = 0;
  for (Index i = 0; i < p.size(); ++i) {
    if (p.data()[i] < min_p) continue;
    last = static_cast<std::int32_t>(i);
    if (rest < p.data()[i]) return last;
    rest -= p.data()[i];
  }
  return last;
}
