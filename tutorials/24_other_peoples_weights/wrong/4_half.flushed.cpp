// rejected: no 1 is before
#include "tutorials/24_other_peoples_weights/exercises.h"

std::vector<float> my_from_half(const std::vector<std::uint16_t>& halves) {
  std::vector<float> numbers;
  for (const std::uint16_t half : halves) {
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    float x =
        std::ldexp(float(exponent == 0 ? fraction : 1024 + fraction), std::max(exponent, 1) - 25);
    if (exponent == 0) x = 0;
    if (exponent == 31) x = fraction == 0 ? INFINITY : NAN;
    numbers.push_back(std::copysign(x, half >> 15 ? -1.0f : 1.0f));
  }
  return numbers;
}
