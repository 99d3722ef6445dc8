/// @file
/// Inserts and removes axes of size 1, merges axes, and reads elements by position: x[{...}].
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "autograd/ops/shape.h"

namespace gradus {

/// @addtogroup shape_ops
/// @{

/// x without an axis of size 1. Nothing is copied. Gradient: dx = dy with x's shape.
/// Example: `squeeze(tensor({{1}, {2}}), 1)` is `[1, 2]`.
/// @throws std::invalid_argument if the axis is absent or its size is not 1.
Tensor squeeze(const Tensor& x, int axis);

/// x with one more axis: axis `axis` of y has size 1. Nothing is copied.
/// Gradient: dx = dy with x's shape.
/// Example: `unsqueeze(tensor({1, 2}), -1)` is `[[1], [2]]`.
/// @throws std::invalid_argument if y cannot have such an axis.
Tensor unsqueeze(const Tensor& x, int axis);

/// x with the axes from `first` to `last` merged into one, by default all axes. Nothing is copied.
/// Gradient: dx = dy with x's shape.
/// @throws std::invalid_argument if an axis is absent, or `first` comes after `last`.
///
/// @code
/// flatten(tensor({{1, 2}, {3, 4}}));  // [1, 2, 3, 4]
/// flatten(x, 0, -2);                  // [B, T, C] to [B T, C]
/// @endcode
Tensor flatten(const Tensor& x, int first = 0, int last = -1);

/// Tensors of the same shape one after the other along a new axis, which becomes axis `axis` of y.
/// Gradient: each tensor gets its slice of dy.
/// Example: `stack({tensor({1, 2}), tensor({3, 4})}, 1)` is `[[1, 3], [2, 4]]`.
/// @throws std::invalid_argument if there are no tensors, their shapes differ or y cannot have such
/// an axis.
Tensor stack(const std::vector<Tensor>& tensors, int axis);

///@{
/// x cut along one axis into parts of the given sizes; for equal parts see split().
/// Gradient: dx = the gradients of the parts, one after the other.
/// @throws std::invalid_argument if the axis is absent or its size is not the sum of `sizes`.
///
/// @code
/// split_sizes(arange(5), {2, 3}, 0);  // [0, 1] and [2, 3, 4]
/// @endcode
std::vector<Tensor> split_sizes(const Tensor& x, std::initializer_list<Index> sizes, int axis);
std::vector<Tensor> split_sizes(const Tensor& x, std::span<const Index> sizes, int axis);
///@}

/// The part of one axis that `x[{...}]` reads. As in slice(), negative positions count from the
/// end.
struct At {
  /// The whole axis: `{}`.
  At() = default;
  /// One position; the axis is removed.
  At(Index position) : begin(position), single(true) {}  // NOLINT(google-explicit-constructor)
  /// The positions [begin, end): `{0, 2}`, or `{1, kToEnd}`.
  At(Index begin, Index end) : begin(begin), end(end) {}

  Index begin = 0;      ///< the first position
  Index end = kToEnd;   ///< one past the last
  bool single = false;  ///< only the first position, and the axis is removed
};

/// @}

}  // namespace gradus
