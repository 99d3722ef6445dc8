// rejected: not beyond
#include "tutorials/13_relative_positions/exercises.h"

Tensor further_table(Index positions) {
  std::vector<Scalar> values;
  for (Index i = 0; i < positions * 8; ++i) {
    const Index t = i / 8, pair = i % 4;
    const double a = angle(std::min<Index>(t, 15), pair, 8, 10000);
    values.push_back(Scalar(i % 8 < 4 ? std::cos(a) : std::sin(a)));
  }
  return tensor({positions, 8}, values);
}
