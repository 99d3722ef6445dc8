// Pair 1 turns at half its speed: scores that the reader learned for d steps back now apply to 2 d.
#include "tutorials/13_relative_positions/exercises.h"

Tensor further_table(Index positions) {
  std::vector<Scalar> values;
  for (Index i = 0; i < positions * 8; ++i) {
    const Index pair = i % 8 % 4;
    const double a = angle(i / 8, pair, 8, 10000) / (pair == 1 ? 2 : 1);
    values.push_back(Scalar(i % 8 < 4 ? std::cos(a) : std::sin(a)));
  }
  return tensor({positions, 8}, values);
}
