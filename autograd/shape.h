/// @file
/// Shapes, axes, NumPy's broadcasting rule, and numbers in nested braces.
#pragma once

#include <array>
#include <concepts>
#include <initializer_list>
#include <iosfwd>
#include <span>
#include <vector>

#include "autograd/scalar.h"

namespace gradus {

/// @addtogroup tensors
/// @{

/// The most axes a tensor may have.
inline constexpr int kMaxRank = 8;

/// The sizes of a tensor's axes, outermost first. The empty shape [] is that of a scalar.
///
/// A value type of fixed capacity: copying one allocates nothing. Sizes may be 0; a negative size,
/// more than kMaxRank axes or, zeros left out, a product beyond 2^63 - 1 throws
/// std::invalid_argument on construction.
class Shape {
 public:
  Shape() = default;
  /// These sizes, in braces.
  Shape(std::initializer_list<Index> sizes) : Shape(std::span(sizes.begin(), sizes.size())) {}
  /// These sizes, on behalf of `op`, which errors then name.
  explicit Shape(std::span<const Index> sizes, const char* op = "shape");

  int rank() const { return rank_; }  ///< the number of axes
  /// The number of elements: the product of all sizes, 1 for [].
  Index size() const { return product(0, rank_); }
  /// The size of one axis; negative axes count from the end, -1 being the last.
  /// @throws std::invalid_argument if there is no such axis.
  Index operator[](int axis) const { return size_of(axis, "shape"); }
  /// The same, on behalf of `op`, which the error names.
  Index size_of(int axis, const char* op) const { return sizes_[axis_of(axis, op)]; }
  /// The axis as a number in [0, rank): -1 becomes rank - 1.
  /// @throws std::invalid_argument beginning with `op` if there is no such axis.
  int axis_of(int axis, const char* op = "shape") const;

  const Index* begin() const { return sizes_.data(); }        ///< the first size
  const Index* end() const { return sizes_.data() + rank_; }  ///< one past the last size

  /// The product of the sizes of the axes in [first, last), both in [0, rank].
  Index product(int first, int last) const {
    Index product = 1;
    for (int axis = first; axis < last; ++axis) product *= sizes_[axis];
    return product;
  }
  /// The same shape with one axis of another size, on behalf of `op`, which errors then name.
  Shape with(int axis, Index size, const char* op = "shape") const;
  /// The same shape without one axis.
  Shape without(int axis) const;
  /// The same shape with one more axis, of size `size`, at the end.
  /// @throws std::invalid_argument beginning with `op` if there are kMaxRank already.
  Shape append(Index size, const char* op = "shape") const;

  /// Whether all sizes are equal.
  bool operator==(const Shape& other) const = default;

 private:
  std::array<Index, kMaxRank> sizes_{};  // 0 from rank_ on
  int rank_ = 0;
};

/// Prints as `[2, 3]`.
std::ostream& operator<<(std::ostream& out, const Shape& shape);

/// A set of axes, as reductions take them: `{0, -1}`, `-1`, or nothing for all axes.
class Axes {
  /// One of several. Not a flag, as in sum(x, {-1, true}).
  struct Axis {
    Axis(std::same_as<int> auto axis) : axis(axis) {}  // NOLINT(google-explicit-constructor)
    int axis;
  };

 public:
  /// All axes.
  Axes() = default;
  /// One axis.
  // NOLINTNEXTLINE(google-explicit-constructor): sum(x, -1) reads well
  Axes(int axis) : axes_{axis}, count_(1) {}
  /// A flag, as in sum(x, true), is not an axis.
  Axes(std::same_as<bool> auto) = delete;
  /// These axes.
  Axes(std::initializer_list<Axis> axes);

  /// One bit per axis of `shape`, bit 0 for axis 0.
  /// @throws std::invalid_argument beginning with `op` if an axis is absent or named twice.
  unsigned mask(const char* op, const Shape& shape) const;

 private:
  std::array<int, kMaxRank> axes_{};
  int count_ = -1;  // -1: all
};

/// The shape that `a` and `b` broadcast to, by NumPy's rule: aligned at the last axis, sizes must
/// be equal or one of them 1.
/// @throws std::invalid_argument beginning with `op` if they do not fit.
Shape broadcast_shapes(const char* op, const Shape& a, const Shape& b);

/// Numbers in nested braces, as tensor() and indices() take them: `{{1, 2}, {3, 4}}`.
template <class T>
struct NestedBraces {
  /// One number.
  NestedBraces(T value) : values{value} {}  // NOLINT(google-explicit-constructor)
  /// Rows of one shape.
  /// @throws std::invalid_argument if their shapes differ.
  NestedBraces(std::initializer_list<NestedBraces> rows);
  std::vector<T> values;  ///< in row-major order
  Shape shape;            ///< that of the braces
};

/// @}

}  // namespace gradus
