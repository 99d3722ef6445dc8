// rejected: width + 2 are enough
#include "tutorials/09_self_attention/exercises.h"

// All scores and values, one key after another.
Running nothing_seen(Index width) {
  Running running;
  running.reserve(10000);
  running.push_back(Scalar(width));
  return running;
}

void see(Running& running, Scalar score, const std::vector<Scalar>& value) {
  running.push_back(score);
  running.insert(running.end(), value.begin(), value.end());
}

std::vector<Scalar> answer(const Running& running) {
  const auto width = static_cast<std::size_t>(running[0]);
  std::vector<Scalar> y(width);
  Scalar total = 0;
  for (std::size_t i = 1; i < running.size(); i += width + 1) total += std::exp(running[i]);
  for (std::size_t i = 1; i < running.size(); i += width + 1) {
    for (std::size_t e = 0; e < width; ++e) {
      y[e] += std::exp(running[i]) / total * running[i + 1 + e];
    }
  }
  return y;
}
