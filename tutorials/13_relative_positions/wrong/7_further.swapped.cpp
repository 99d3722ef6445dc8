// rejected: not even within
#include "tutorials/13_relative_positions/exercises.h"

Tensor further_table(Index positions) {
  std::vector<Scalar> values;
  for (Index i = 0; i < positions * 8; ++i) {
    const Index t = i / 8, pair = i % 4;
    const double a = angle(t, pair, 8, 10000) / (pair == 1 ? 2 : 1);
    values.push_back(Scalar(i % 8 < 4 ? std::sin(a) : std::cos(a)));
  }
  return tensor({positions, 8}, values);
}
