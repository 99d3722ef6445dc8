/// @file
/// Integers with a shape: tokens, labels, masks. They have no gradient.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <vector>

#include "autograd/kernels/storage.h"
#include "autograd/shape.h"

namespace gradus {

/// @addtogroup tensors
/// @{

/// An n-dimensional row-major array of int32: token and class numbers, or a mask of 0 and 1. A copy
/// of the handle refers to the same numbers.
class IndexTensor {
 public:
  /// An undefined tensor: defined() is false.
  IndexTensor() = default;
  /// A tensor of this shape, filled with 0.
  explicit IndexTensor(const Shape& shape);
  /// A tensor of this shape with these numbers in row-major order.
  /// @throws std::invalid_argument if the shape needs more or fewer numbers.
  IndexTensor(const Shape& shape, std::span<const std::int32_t> values);

  /// Whether there are numbers. If not, all members but this and sole_owner() throw
  /// std::invalid_argument.
  bool defined() const { return static_cast<bool>(storage_); }
  /// The sizes of the axes.
  const Shape& shape() const { return own("shape").shape_; }
  int rank() const { return own("rank").shape_.rank(); }    ///< the number of axes
  Index size() const { return own("size").shape_.size(); }  ///< the number of numbers
  /// The size of one axis; -1 is the last.
  Index size(int axis) const { return own("size").shape_.size_of(axis, "size"); }
  /// The numbers in row-major order.
  const std::int32_t* data() const { return own("data").storage_->data(); }
  const std::int32_t* begin() const { return own("begin").storage_->data(); }  ///< the first number
  const std::int32_t* end() const { return own("end").data() + size(); }  ///< one past the last
  /// The numbers, for writing, as in Tensor.
  std::int32_t* mutable_data() const {
    ++own("mutable_data").storage_->version;
    return storage_->data();
  }
  /// How often mutable_data() was called on these numbers.
  unsigned version() const { return own("version").storage_->version; }
  /// A copy of all numbers.
  std::vector<std::int32_t> values() const { return {own("values").begin(), end()}; }
  /// The same numbers with another shape of the same size.
  /// @throws std::invalid_argument if the sizes differ.
  IndexTensor reshape(const Shape& shape) const;
  /// Whether no other handle refers to these numbers; false if there are none.
  bool sole_owner() const { return storage_.sole(); }

 private:
  /// Returns *this. If it is undefined, throws an error that names `method`.
  const IndexTensor& own(const char* method) const {
    if (!defined()) [[unlikely]] {
      fail_undefined(method);
    }
    return *this;
  }
  [[noreturn]] static void fail_undefined(const char* method);

  Shape shape_;
  Ref<detail::Storage<std::int32_t>> storage_;
};

/// The index tensor with the numbers in nested braces: `indices({{0, 2}, {1, 1}})`.
/// @throws std::invalid_argument if rows differ in shape.
IndexTensor indices(const NestedBraces<std::int32_t>& literal);

/// Prints x as NumPy does: aligned, with long axes shortened to their first and last elements.
std::ostream& operator<<(std::ostream& out, const IndexTensor& x);

/// @}

}  // namespace gradus
