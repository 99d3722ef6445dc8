#include "tutorials/24_other_peoples_weights/exercises.h"

std::vector<std::uint16_t> my_to_half(const std::vector<float>& numbers) {
  std::vector<std::uint16_t> halves;
  for (const float x : numbers) {
    const float size = std::abs(x);
    int half = std::isnan(x) ? 0x7e00 : 0x7c00;
    if (size < 65520) {
      const int power = size < 0x1p-14f ? -14 : std::ilogb(size);
      half = (power + 14) * 1024 + int(std::nearbyint(std::ldexp(size, 10 - power)));
    }
    halves.push_back(std::uint16_t(half + (std::signbit(x) ? 0x8000 : 0)));
  }
  return halves;
}
