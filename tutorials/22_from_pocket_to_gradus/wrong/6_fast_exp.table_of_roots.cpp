// rejected: a table of 7 powers, each the square of its neighbour
#include <bit>
#include <cmath>
#include <cstdint>

#include "tutorials/22_from_pocket_to_gradus/exercises.h"

/// e^-64, e^-32, ... e^-1
static const double roots[] = {
    1.6038108905486379e-28, 1.2664165549094176e-14, 1.1253517471925912e-07, 0.00033546262790251185,
    0.018315638888734179,   0.1353352832366127,     0.36787944117144233};

float fast_exp(float x) {
  const float n = std::nearbyint(std::max(-87.0f, std::min(88.0f, x)));
  const float r = x - n;
  float e = 1.0f / 362880;
  for (const float k :
       {1.0f / 40320, 1.0f / 5040, 1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f}) {
    e = k + r * e;
  }
  const auto bits = static_cast<std::uint32_t>(std::abs(n));
  double power = 1;
  for (int i = 0; i < 7; ++i) power *= (bits >> (6 - i) & 1) != 0 ? roots[i] : 1;
  return x < -87 ? 0 : static_cast<float>(n > 0 ? double(e) / power : double(e) * power);
}
