// rejected: by all of the float's bits
#include <bit>

#include "tutorials/24_other_peoples_weights/exercises.h"

std::vector<std::uint16_t> my_to_half(const std::vector<float>& numbers) {
  std::vector<std::uint16_t> halves;
  for (const float x : numbers) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
    std::uint32_t half = size > 0x7f800000 ? 0x7e00 : 0x7c00;
    if (size < 0x477ff000) {
      const int power = int(size >> 23) - 127;
      std::uint32_t steps = size - (112u << 23);
      if (power < -14) {
        const std::uint32_t one = 0x800000 | (size & 0x7fffff);
        steps = power < -25 ? 0 : one >> (-14 - power);
      }
      half = (steps + 0xfff + (steps >> 13 & 1)) >> 13;
    }
    halves.push_back(std::uint16_t(sign | half));
  }
  return halves;
}
