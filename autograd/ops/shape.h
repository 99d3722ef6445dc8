/// @file
/// Ops that move elements and change none: reshape and its kin, transpose, permute, concat, stack,
/// split, slice, pad, x[{...}].
///
/// Except for reshape and its kin, each result has elements of its own: there are no strided views.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "autograd/tensor.h"

namespace gradus {

/// @defgroup shape_ops Shape
/// Elements moved, and none changed. Negative axes count from the end. All gradients here can be
/// differentiated again.
/// @{

/// For slice() and `x[{...}]`: up to the end of the axis, whatever its size.
inline constexpr Index kToEnd = INT64_MAX;

/// Two axes exchanged; unless named, the last two. Gradient: dx = transpose(dy) over the same axes.
///
/// Shapes: x [..., M, N], y [..., N, M]. A product with a transposed matrix does not need this: see
/// matmul().
/// @throws std::invalid_argument if an axis is absent.
///
/// @code
/// transpose(tensor({{1, 2, 3}, {4, 5, 6}}));  // [[1, 4], [2, 5], [3, 6]]
/// @endcode
Tensor transpose(const Tensor& x, int axis_a = -2, int axis_b = -1);

///@{
/// The axes in another order: axis i of y is axis axes[i] of x. Gradient: dx = dy, its axes put
/// back.
/// @throws std::invalid_argument unless every axis of x is named exactly once.
///
/// @code
/// permute(tensor({{1, 2}, {3, 4}}), {1, 0});  // [[1, 3], [2, 4]]
/// permute(x, {0, 2, 1, 3});  // heads before time: [B, T, H, D] to [B, H, T, D]
/// @endcode
Tensor permute(const Tensor& x, std::initializer_list<int> axes);
Tensor permute(const Tensor& x, std::span<const int> axes);
///@}

///@{
/// The same elements, in the same order, under another shape; nothing is copied. Of sizes in
/// braces one may be -1: it is what is left over. Gradient: dx = dy under x's shape.
/// @throws std::invalid_argument if the sizes do not fit.
///
/// @code
/// reshape(arange(6), {2, 3});   // [[0, 1, 2], [3, 4, 5]]
/// reshape(arange(6), {-1, 2});  // [[0, 1], [2, 3], [4, 5]]
/// @endcode
Tensor reshape(const Tensor& x, const Shape& shape);
Tensor reshape(const Tensor& x, std::initializer_list<Index> sizes);
///@}

/// x without an axis of size 1. Nothing is copied. Gradient: dx = dy under x's shape.
/// @throws std::invalid_argument if the axis is absent or its size is not 1.
///
/// @code
/// squeeze(tensor({{1}, {2}}), 1);  // [1, 2]
/// @endcode
Tensor squeeze(const Tensor& x, int axis);

/// x with one more axis, of size 1, which becomes axis `axis` of y. Nothing is copied.
/// Gradient: dx = dy under x's shape.
/// @throws std::invalid_argument if y cannot have such an axis.
///
/// @code
/// unsqueeze(tensor({1, 2}), -1);  // [[1], [2]]
/// @endcode
Tensor unsqueeze(const Tensor& x, int axis);

/// x with the axes from `first` to `last` made one; unless named, all. Nothing is copied.
/// Gradient: dx = dy under x's shape.
/// @throws std::invalid_argument if an axis is absent, or `first` comes after `last`.
///
/// @code
/// flatten(tensor({{1, 2}, {3, 4}}));  // [1, 2, 3, 4]
/// flatten(x, 0, -2);                  // [B, T, C] to [B T, C]
/// @endcode
Tensor flatten(const Tensor& x, int first = 0, int last = -1);

/// The tensors one after the other along an axis they all have. Gradient: to each tensor its slice
/// of dy.
///
/// Shapes: [..., n1, ...] and [..., n2, ...] to [..., n1 + n2, ...]; all other sizes must be equal.
/// @throws std::invalid_argument if there are no tensors, the axis is absent or the sizes differ.
///
/// @code
/// concat({tensor({{1}, {2}}), tensor({{3, 4}, {5, 6}})}, 1);  // [[1, 3, 4], [2, 5, 6]]
/// @endcode
Tensor concat(const std::vector<Tensor>& tensors, int axis);

/// Tensors of one shape side by side along a new axis, which becomes axis `axis` of y.
/// Gradient: to each tensor its slice of dy.
/// @throws std::invalid_argument if there are no tensors, their shapes differ or there is no such
/// place.
///
/// @code
/// stack({tensor({1, 2}), tensor({3, 4})}, 1);  // [[1, 3], [2, 4]]
/// @endcode
Tensor stack(const std::vector<Tensor>& tensors, int axis);

/// The elements [begin, end) along one axis. As in Python negative positions count from the end;
/// unlike there, positions outside the axis are errors. Gradient: dx = dy, with zeros around it.
/// @throws std::invalid_argument if the axis is absent or [begin, end) is not within it.
///
/// @code
/// slice(arange(5), 0, 1, -1);  // [1, 2, 3]
/// slice(arange(5), 0, -2);     // [3, 4]
/// @endcode
Tensor slice(const Tensor& x, int axis, Index begin, Index end = kToEnd);

/// What `x[{...}]` takes of one axis. As in slice(), negative positions count from the end.
struct At {
  /// All of it: `{}`.
  At() = default;
  /// One position; the axis goes.
  At(Index position) : begin(position), single(true) {}  // NOLINT(google-explicit-constructor)
  /// The positions [begin, end): `{0, 2}`, or `{1, kToEnd}`.
  At(Index begin, Index end) : begin(begin), end(end) {}

  Index begin = 0;      ///< the first position
  Index end = kToEnd;   ///< behind the last one
  bool single = false;  ///< only the first position, and the axis goes
};

///@{
/// x cut along one axis, into `count` equal parts or into parts of the given sizes.
/// Gradient: dx = the gradients of the parts, one after the other.
/// @throws std::invalid_argument if the axis is absent, does not divide into `count` or is not the
/// sum of `sizes`.
///
/// @code
/// split(qkv, 3, -1);            // query, key, value: [B, T, 3C] to three of [B, T, C]
/// split(arange(5), {2, 3}, 0);  // [0, 1] and [2, 3, 4]
/// @endcode
std::vector<Tensor> split(const Tensor& x, Index count, int axis);
std::vector<Tensor> split(const Tensor& x, std::initializer_list<Index> sizes, int axis);
std::vector<Tensor> split(const Tensor& x, std::span<const Index> sizes, int axis);
///@}

/// x with `before` more elements at the beginning of one axis and `after` more at its end, all
/// `value`. Gradient: dx = the slice of dy that was x.
/// @throws std::invalid_argument if the axis is absent or a count is negative.
///
/// @code
/// pad(tensor({1, 2}), 0, 1, 2);  // [0, 1, 2, 0, 0]
/// @endcode
Tensor pad(const Tensor& x, int axis, Index before, Index after, Scalar value = 0);

/// @}

}  // namespace gradus
