/// @file
/// A digest of data: one number that shows whether two sets of data differ.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <string_view>

#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup files
/// @{

/// FNV-1a (Fowler, Noll and Vo) with 64 bits, over bytes or, faster, over whole numbers.
/// @code
/// Digest fox, fax;
/// fox.add(std::string_view("a fox"));
/// fax.add(std::string_view("a fax"));
/// fox.value() == fax.value();  // false
/// @endcode
class Digest {
 public:
  /// Adds a number. The order of the calls matters.
  void add(std::unsigned_integral auto number) { value_ = (value_ ^ number) * 0x100000001b3; }
  /// Adds bytes one by one.
  void add(std::string_view bytes) {
    for (const char byte : bytes) add(static_cast<unsigned char>(byte));
  }
  /// Adds the bits of a number.
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  void add(float number) { add(std::bit_cast<std::uint32_t>(number)); }  ///< the same
  /// Adds the bits of all elements.
  void add(const Tensor& tensor) {
    for (const Scalar value : tensor) add(value);
  }

  /// The digest of everything added so far.
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

/// @}

}  // namespace gradus
