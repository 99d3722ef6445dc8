// rejected: a table of 176 powers
#include <array>
#include <cmath>

#include "tutorials/22_from_pocket_to_gradus/exercises.h"

namespace {

const std::array<float, 176> powers = [] {  // e^k for k from -87 to 88
  std::array<float, 176> made = {};
  for (int k = 0; k < 176; ++k) made[static_cast<std::size_t>(k)] = std::exp(float(k - 87));
  return made;
}();

}  // namespace

float fast_exp(float x) {
  const float n = std::nearbyint(std::max(-87.0f, std::min(88.0f, x)));
  const float r = x - n;
  float e = 1.0f / 40320;
  for (const float k :
       {1.0f / 5040, 1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f}) {
    e = k + r * e;
  }
  return x < -87 ? 0 : e * powers[static_cast<std::size_t>(n + 87)];
}
