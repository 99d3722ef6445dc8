// rejected: a table of
#include <bit>
#include <cmath>
#include <cstdint>

#include "tutorials/22_from_pocket_to_gradus/exercises.h"

namespace {

// 2^(j / 8)
constexpr float powers[8] = {1.0f,        1.09050773f, 1.18920712f, 1.29683955f,
                             1.41421356f, 1.54221083f, 1.68179283f, 1.83400809f};

}  // namespace

float fast_exp(float x) {
  const float n = std::nearbyint(std::max(-87.0f, std::min(88.0f, x)) * 11.5415603f);
  const float r = float(double(x) - double(n) * 0.08664339756999316);
  float e = 1.0f / 120;
  for (const float k : {1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f}) e = k + r * e;
  const std::int32_t eighths = static_cast<std::int32_t>(n), j = eighths & 7;
  const float y = e * powers[j] * std::bit_cast<float>(((eighths - j) / 8 + 127) << 23);
  return x < -87 ? 0 : y;
}
