/// @file
/// Ops that move elements and change none: reshape, transpose, permute, concat, stack, split,
/// slice, pad.
///
/// Except for reshape, each result has elements of its own: there are no strided views.
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

/// The same elements, in the same order, under another shape; nothing is copied.
/// Gradient: dx = dy under x's shape.
/// @throws std::invalid_argument if the sizes do not fit.
///
/// @code
/// reshape(arange(6), {2, 3});  // [[0, 1, 2], [3, 4, 5]]
/// @endcode
Tensor reshape(const Tensor& x, const Shape& shape);
/// The same, with the sizes in braces; one of them may be -1: it is what is left over.
Tensor reshape(const Tensor& x, std::initializer_list<Index> sizes);

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

/// The axes in another order: axis i of y is axis axes[i] of x. Gradient: dx = dy, its axes put
/// back.
/// @throws std::invalid_argument unless every axis of x is named exactly once.
///
/// @code
/// permute(tensor({{1, 2}, {3, 4}}), {1, 0});  // [[1, 3], [2, 4]]
/// permute(x, {0, 2, 1, 3});  // heads before time: [B, T, H, D] to [B, H, T, D]
/// @endcode
Tensor permute(const Tensor& x, std::initializer_list<int> axes);
/// The same, with axes that only the run knows.
Tensor permute(const Tensor& x, std::span<const int> axes);

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

/// For slice(): up to the end of the axis, whatever its size.
inline constexpr Index kToEnd = INT64_MAX;

/// The elements [begin, end) along one axis. As in Python negative positions count from the end;
/// unlike there, positions outside the axis are errors. Gradient: dx = dy, with zeros around it.
/// @throws std::invalid_argument if the axis is absent or [begin, end) is not within it.
///
/// @code
/// slice(arange(5), 0, 1, -1);  // [1, 2, 3]
/// slice(arange(5), 0, -2);     // [3, 4]
/// @endcode
Tensor slice(const Tensor& x, int axis, Index begin, Index end = kToEnd);

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
/// The same, with the sizes of the parts in braces.
std::vector<Tensor> split(const Tensor& x, std::initializer_list<Index> sizes, int axis);
/// The same, with sizes that only the run knows.
std::vector<Tensor> split(const Tensor& x, std::span<const Index> sizes, int axis);

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
