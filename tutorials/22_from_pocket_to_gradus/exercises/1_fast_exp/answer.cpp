#include <bit>
#include <cmath>
#include <cstdint>

#include "tutorials/22_from_pocket_to_gradus/exercises.h"

float fast_exp(float x) {
  const float n = std::nearbyint(std::max(-87.0f, std::min(88.0f, x)) * 1.44269504f);
  const float r = x - n * 0.693145752f - n * 1.42860682e-6f;  // ln 2 in two parts
  float e = 1.0f / 720;  // 1 + r + r^2 / 2 + ... + r^6 / 720, from its end
  for (const float k : {1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f}) e = k + r * e;
  const float y = e * std::bit_cast<float>((static_cast<std::int32_t>(n) + 127) << 23);
  return x < -87 ? 0 : y;
}
