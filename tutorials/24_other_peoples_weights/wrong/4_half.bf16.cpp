// rejected: RED
#include <bit>

#include "tutorials/24_other_peoples_weights/exercises.h"

std::vector<float> my_from_half(const std::vector<std::uint16_t>& halves) {
  std::vector<float> numbers;
  for (const std::uint16_t half : halves) {
    numbers.push_back(std::bit_cast<float>(std::uint32_t(half) << 16));
  }
  return numbers;
}
