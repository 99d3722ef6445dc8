// rejected: scores of -1000000
#include "tutorials/09_self_attention/exercises.h"

void see(Running& running, Scalar score, const std::vector<Scalar>& value) {
  const Scalar largest = std::max(running.total > 0 ? running.largest : -1e4f, score);
  const Scalar old = std::exp(running.largest - largest), share = std::exp(score - largest);
  running.largest = largest;
  running.total = running.total * old + share;
  for (std::size_t e = 0; e < value.size(); ++e) {
    running.sum[e] = running.sum[e] * old + share * value[e];
  }
}

std::vector<Scalar> answer(const Running& running) {
  std::vector<Scalar> y = running.sum;
  if (running.total == 0) return y;  // no visible key: zeros
  for (Scalar& number : y) number /= running.total;
  return y;
}
