/// @file
/// A number for much data, to notice that two are not the same.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <string_view>

#include "autograd/tensor.h"

namespace gradus {

/// FNV-1a with 64 bits, of bytes or, faster, of numbers.
class Digest {
 public:
  void add(std::unsigned_integral auto number) { value_ = (value_ ^ number) * 0x100000001b3; }
  void add(std::string_view bytes) {
    for (const char byte : bytes) add(static_cast<unsigned char>(byte));
  }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  void add(float number) { add(std::bit_cast<std::uint32_t>(number)); }
  void add(const Tensor& tensor) {
    for (const Scalar value : tensor) add(value);
  }

  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace gradus
