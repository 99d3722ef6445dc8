// rejected: is no rotation
#include "tutorials/13_relative_positions/exercises.h"

Tensor further_table(Index positions) {
  std::vector<Scalar> values;
  for (Index i = 0; i < positions * 8; ++i) {
    const Index t = i / 8, pair = i % 4;
    const double a = angle(t, i % 8 / 2, 8, 10000) / (i % 8 / 2 == 1 ? 2 : 1);
    values.push_back(Scalar(i % 2 == 0 ? std::cos(a) : std::sin(a)));
  }
  return tensor({positions, 8}, values);
}
