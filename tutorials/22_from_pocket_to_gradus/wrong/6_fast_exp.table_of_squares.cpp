// rejected: a table of 7 powers, each the square of its neighbour
#include <bit>
#include <cmath>
#include <cstdint>

#include "tutorials/22_from_pocket_to_gradus/exercises.h"

/// e^1, e^2, e^4, ... e^64
static const float squares[] = {2.71828175f, 7.38905621f,    54.5981483f,    2980.95801f,
                                8886110.52f, 7.8962957e+13f, 6.23514884e+27f};

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
  for (int i = 0; i < 7; ++i) power *= (bits >> i & 1) != 0 ? double(squares[i]) : 1;
  return x < -87 ? 0 : static_cast<float>(n < 0 ? double(e) / power : double(e) * power);
}
