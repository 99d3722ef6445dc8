// rejected: a call of tanh
#include <cmath>

#include "tutorials/22_from_pocket_to_gradus/exercises.h"

float fast_exp(float x) {
  const double t = std::tanh(std::min(88.0, double(x)) / 16);
  double y = (1 + t) / (1 - t);  // e^(x / 8)
  for (int i = 0; i < 3; ++i) y *= y;
  return x < -87 ? 0 : std::isnan(x) ? x : static_cast<float>(y);
}
