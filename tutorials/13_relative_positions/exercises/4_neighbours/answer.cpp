// Pairs get an axis of their own, of size 2; cosines and sines get one of size 1.
#include "tutorials/13_relative_positions/exercises.h"

Tensor my_rotary(const Tensor& x, const Tensor& table) {
  Shape pairs = x.shape().with(-1, x.size(-1) / 2), rows = table.shape().with(-1, x.size(-1) / 2);
  pairs.push_back(2), rows.push_back(1);
  const auto ab = split(reshape(x, pairs), 2, -1);
  const auto angle = split(table, 2, -1);
  const Tensor cos = reshape(angle[0], rows), sin = reshape(angle[1], rows);
  return reshape(concat({ab[0] * cos - ab[1] * sin, ab[0] * sin + ab[1] * cos}, -1), x.shape());
}
