// When a larger score comes, everything so far was counted e^(new - old) times too high.
#include "tutorials/09_self_attention/exercises.h"

// The largest score so far, the total of e^(score - largest), and that times each value, summed.
Running nothing_seen(Index width) {
  Running running(width + 2);
  running[0] = -INFINITY;
  return running;
}

void see(Running& running, Scalar score, const std::vector<Scalar>& value) {
  if (score == -INFINITY) return;  // -inf - -inf would be NaN
  const Scalar largest = std::max(running[0], score);
  const Scalar old = std::exp(running[0] - largest), share = std::exp(score - largest);
  running[0] = largest;
  running[1] = running[1] * old + share;
  for (std::size_t e = 0; e < value.size(); ++e) {
    running[e + 2] = running[e + 2] * old + share * value[e];
  }
}

std::vector<Scalar> answer(const Running& running) {
  std::vector<Scalar> y(running.begin() + 2, running.end());
  if (running[1] == 0) return y;  // no visible key: zeros
  for (Scalar& number : y) number /= running[1];
  return y;
}
