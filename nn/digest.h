/// @file
/// A number for much data, to notice that two are not the same.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <string_view>

#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup files
/// @{

/// FNV-1a with 64 bits, of bytes or, faster, of numbers.
/// @code
/// Digest fox, fax;
/// fox.add(std::string_view("a fox"));
/// fax.add(std::string_view("a fax"));
/// fox.value() == fax.value();  // false
/// @endcode
class Digest {
 public:
  /// Adds to what was added before; the order counts.
  void add(std::unsigned_integral auto number) { value_ = (value_ ^ number) * 0x100000001b3; }
  /// The same, byte by byte.
  void add(std::string_view bytes) {
    for (const char byte : bytes) add(static_cast<unsigned char>(byte));
  }
  /// The bits of a number.
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  void add(float number) { add(std::bit_cast<std::uint32_t>(number)); }  ///< the same
  /// The bits of all elements.
  void add(const Tensor& tensor) {
    for (const Scalar value : tensor) add(value);
  }

  /// Of all that was added.
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

/// @}

}  // namespace gradus
