// rejected: a table of 254 powers
#include <array>
#include <cmath>

#include "tutorials/22_from_pocket_to_gradus/exercises.h"

namespace {

const std::array<double, 254> powers = [] {  // 2^n for n from -126 to 127
  std::array<double, 254> made = {0x1p-126};
  for (std::size_t i = 1; i < 254; ++i) made[i] = 2 * made[i - 1];
  return made;
}();

}  // namespace

float fast_exp(float x) {
  const float n = std::nearbyint(std::max(-87.0f, std::min(88.0f, x)) * 1.44269504f);
  const float r = x - n * 0.693145752f - n * 1.42860682e-6f;  // ln 2 in two parts
  float e = 1.0f / 720;  // 1 + r + r^2 / 2 + ... + r^6 / 720, from its end
  for (const float k : {1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f}) e = k + r * e;
  return x < -87 ? 0 : e * float(powers[static_cast<std::size_t>(n + 126)]);
}
