// rejected: f / 1024 in whole numbers is 0
#include "tutorials/24_other_peoples_weights/exercises.h"

std::vector<float> my_from_half(const std::vector<std::uint16_t>& halves) {
  std::vector<float> numbers;
  for (const std::uint16_t half : halves) {
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    float x = exponent == 0 ? std::ldexp(float(fraction), -24)
                            : std::ldexp(float(1 + fraction / 1024), exponent - 15);
    if (exponent == 31) x = fraction == 0 ? INFINITY : NAN;
    numbers.push_back(std::copysign(x, half >> 15 ? -1.0f : 1.0f));
  }
  return numbers;
}
