// rejected: as powers of 1 + x / N are
#include <cmath>

#include "tutorials/22_from_pocket_to_gradus/exercises.h"

float fast_exp(float x) {
  double y = 1 + double(x) / (1 << 24);
  for (int i = 0; i < 24; ++i) y *= y;
  return x < -87 ? 0 : static_cast<float>(x > 88 ? 2e38 : y);
}
