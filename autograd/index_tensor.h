/// @file
/// Integers with a shape: tokens, labels, masks. They have no gradient.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>
#include <vector>

#include "autograd/shape.h"

namespace gradus {

/// @addtogroup tensors
/// @{

/// An n-dimensional row-major array of int32: token and class numbers, or a mask of 0 and 1. A copy
/// of the handle refers to the same numbers.
class IndexTensor {
 public:
  /// What an undefined one may be: for require_defined().
  static constexpr const char* kUndefinedIs = "a default-constructed IndexTensor";

  /// None: defined() is false.
  IndexTensor() = default;
  /// Numbers of this shape, all 0.
  explicit IndexTensor(const Shape& shape);
  /// These numbers in row-major order.
  /// @throws std::invalid_argument if their count is not that of the shape.
  IndexTensor(const Shape& shape, std::span<const std::int32_t> values);

  /// Whether there are any: false for IndexTensor(). All else throws std::invalid_argument then.
  bool defined() const { return numbers_ != nullptr; }
  /// The sizes of the axes.
  const Shape& shape() const {
    numbers("shape");
    return shape_;
  }
  int rank() const { return shape().rank(); }           ///< the number of axes
  Index size() const { return shape().size(); }         ///< the number of numbers
  Index size(int axis) const { return shape()[axis]; }  ///< of one axis; -1 is the last
  /// The numbers in row-major order.
  const std::int32_t* data() const { return numbers("data").values.data(); }
  const std::int32_t* begin() const { return data(); }         ///< the first number
  const std::int32_t* end() const { return data() + size(); }  ///< one past the last number
  /// The numbers, to write, as in Tensor.
  std::int32_t* mutable_data() const {
    ++numbers("mutable_data").version;
    return numbers_->values.data();
  }
  /// How often mutable_data() was called on these numbers.
  unsigned version() const { return numbers("version").version; }
  /// All numbers, copied.
  std::vector<std::int32_t> values() const { return numbers("values").values; }
  /// The same numbers under another shape of the same size.
  /// @throws std::invalid_argument if the sizes differ.
  IndexTensor reshape(const Shape& shape) const;
  /// Whether no other handle refers to these numbers; false if there are none.
  bool sole_owner() const { return numbers_.use_count() == 1; }

 private:
  struct Numbers {
    std::vector<std::int32_t> values;
    unsigned version = 0;
  };
  /// What is there, for `method`.
  Numbers& numbers(const char* method) const {
    if (numbers_ == nullptr) [[unlikely]] {
      fail_undefined(method);
    }
    return *numbers_;
  }
  [[noreturn]] static void fail_undefined(const char* method);

  Shape shape_;
  std::shared_ptr<Numbers> numbers_;
};

/// The index tensor of the nested braces: `indices({{0, 2}, {1, 1}})`.
/// @throws std::invalid_argument if rows differ in shape.
IndexTensor indices(const NestedBraces<std::int32_t>& literal);

/// Prints as NumPy does: aligned, long axes shortened to their ends.
std::ostream& operator<<(std::ostream& out, const IndexTensor& x);

/// @}

}  // namespace gradus
