/// @file
/// Shapes, axes, NumPy's broadcasting rule, and numbers in nested braces.
#pragma once

#include <array>
#include <concepts>
#include <initializer_list>
#include <iosfwd>
#include <ranges>
#include <span>
#include <vector>

#include "autograd/scalar.h"

namespace gradus {

/// @addtogroup tensors
/// @{

/// The largest number of axes that a tensor may have.
inline constexpr int kMaxRank = 8;

/// The sizes of a tensor's axes, outermost first. A scalar has the empty shape [].
///
/// A value type of fixed capacity: copying one allocates nothing. Sizes may be 0. The constructors
/// throw std::invalid_argument for a negative size, for more than kMaxRank axes, or if the product
/// of the sizes other than 0 is beyond 2^63 - 1.
class Shape {
 public:
  Shape() = default;
  /// A shape of these sizes, in braces.
  Shape(std::initializer_list<Index> sizes) : Shape(std::span(sizes.begin(), sizes.size())) {}
  /// A shape of these sizes; errors begin with `op`.
  explicit Shape(std::span<const Index> sizes, const char* op = "shape");

  int rank() const { return rank_; }  ///< the number of axes
  /// The number of elements: the product of all sizes, 1 for [].
  Index size() const { return product(0, rank_); }
  /// The size of one axis; negative axes count from the end, -1 being the last.
  /// @throws std::invalid_argument if there is no such axis.
  Index operator[](int axis) const { return size_of(axis, "shape"); }
  /// The same; an error begins with `op`.
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
  /// The same shape, but with another size for one axis; errors begin with `op`.
  Shape with(int axis, Index size, const char* op = "shape") const;
  /// The same shape without one axis.
  Shape without(int axis) const;
  /// The same shape with one more axis at the end: its size is `size`.
  /// @throws std::invalid_argument beginning with `op` if there are kMaxRank axes already.
  Shape append(Index size, const char* op = "shape") const;

  /// Whether all sizes are equal.
  bool operator==(const Shape& other) const = default;

 private:
  std::array<Index, kMaxRank> sizes_{};  // 0 from rank_ on
  int rank_ = 0;
};

/// Prints as `[2, 3]`.
std::ostream& operator<<(std::ostream& out, const Shape& shape);

/// A set of axes to reduce over: `{0, -1}`, `-1`, or nothing for all axes.
class Axes {
  /// One axis of a list. A bool is not an axis: sum(x, {-1, true}) does not compile.
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
  /// A bool is not an axis: sum(x, true) does not compile.
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

/// The shape that `a` and `b` broadcast to by NumPy's rule: the shapes are aligned at the last
/// axis, and two sizes must be equal unless one of them is 1.
/// @throws std::invalid_argument beginning with `op` if they do not fit.
Shape broadcast_shapes(const char* op, const Shape& a, const Shape& b);

/// Numbers in nested braces, for tensor() and indices(): `{{1, 2}, {3, 4}}`.
template <class T>
struct NestedBraces {
  /// One number.
  NestedBraces(T value) : values{value} {}  // NOLINT(google-explicit-constructor)
  /// Rows of the same shape.
  /// @throws std::invalid_argument if their shapes differ.
  NestedBraces(std::initializer_list<NestedBraces> rows);
  std::vector<T> values;  ///< in row-major order
  Shape shape;            ///< the shape of the braces
};

/// @}

}  // namespace gradus

/// @cond
// Shape::size() counts elements, not axes, so the standard library must not take it for a range's
// size.
template <>
inline constexpr bool std::ranges::disable_sized_range<gradus::Shape> = true;
/// @endcond
