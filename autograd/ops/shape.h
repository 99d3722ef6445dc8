/// @file
/// Ops that move elements and change none: reshape, transpose, permute, concat, split, slice, pad.
///
/// Except for reshape, each result has elements of its own: there are no strided views.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "autograd/tensor.h"

namespace gradus {

/// @defgroup shape_ops Shape
/// Ops that move elements and change none. Negative axes count from the end. All gradients here can
/// be differentiated again.
/// @{

/// For slice() and `x[{...}]`: up to the end of the axis, whatever its size.
inline constexpr Index kToEnd = INT64_MAX;

namespace detail {
/// slice() and concat(), with an axis in [0, rank), and reshape() as parts of `op`: errors and the
/// graph name `op`.
Tensor slice_for(const char* op, const Tensor& x, int axis, Index begin, Index end);
Tensor concat_for(const char* op, const std::vector<Tensor>& tensors, int axis);
Tensor reshape_for(const char* op, const Tensor& x, const Shape& shape);
}  // namespace detail

/// Swaps two axes, by default the last two. Gradient: dx = transpose(dy) over the same axes.
///
/// Shapes: x [..., M, N], y [..., N, M]. A product with a transposed matrix does not need
/// transpose(): see matmul().
/// Example: `transpose(tensor({{1, 2, 3}, {4, 5, 6}}))` is `[[1, 4], [2, 5], [3, 6]]`.
/// @throws std::invalid_argument if an axis is absent.
Tensor transpose(const Tensor& x, int axis_a = -2, int axis_b = -1);

///@{
/// Reorders the axes: axis i of y is axis axes[i] of x. Gradient: dx = dy with the axes in x's
/// order.
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
/// The same elements, in the same order, with another shape; nothing is copied. One of the sizes in
/// braces may be -1: it is computed from the others. Gradient: dx = dy with x's shape.
/// @throws std::invalid_argument if the sizes do not fit.
///
/// @code
/// reshape(arange(6), {2, 3});   // [[0, 1, 2], [3, 4, 5]]
/// reshape(arange(6), {-1, 2});  // [[0, 1], [2, 3], [4, 5]]
/// @endcode
Tensor reshape(const Tensor& x, const Shape& shape);
Tensor reshape(const Tensor& x, std::initializer_list<Index> sizes);
///@}

/// The tensors one after the other along an axis that all of them have. Gradient: each tensor gets
/// its slice of dy.
///
/// Shapes: [..., n1, ...] and [..., n2, ...] to [..., n1 + n2, ...]; all other sizes must be equal.
/// @throws std::invalid_argument if there are no tensors, the axis is absent or the sizes differ.
///
/// @code
/// concat({tensor({{1}, {2}}), tensor({{3, 4}, {5, 6}})}, 1);  // [[1, 3, 4], [2, 5, 6]]
/// @endcode
Tensor concat(const std::vector<Tensor>& tensors, int axis);

/// The elements [begin, end) along one axis. As in Python, negative positions count from the end;
/// unlike in Python, positions outside the axis are errors. Gradient: dx = dy, with zeros around
/// it.
/// @throws std::invalid_argument if the axis is absent or [begin, end) is not within it.
///
/// @code
/// slice(arange(5), 0, 1, -1);  // [1, 2, 3]
/// slice(arange(5), 0, -2);     // [3, 4]
/// @endcode
Tensor slice(const Tensor& x, int axis, Index begin, Index end = kToEnd);

/// x cut along one axis into `count` equal parts; for parts of given sizes see split_sizes().
/// Gradient: dx = the gradients of the parts, one after the other.
/// @throws std::invalid_argument if the axis is absent or does not divide into `count`.
///
/// @code
/// split(qkv, 3, -1);  // query, key, value: [B, T, 3C] to three of [B, T, C]
/// @endcode
std::vector<Tensor> split(const Tensor& x, Index count, int axis);

/// x with `before` more elements at the beginning of one axis and `after` more at its end, all
/// `value`. Gradient: dx = the slice of dy that was x.
/// Example: `pad(tensor({1, 2}), 0, 1, 2)` is `[0, 1, 2, 0, 0]`.
/// @throws std::invalid_argument if the axis is absent or a count is negative.
Tensor pad(const Tensor& x, int axis, Index before, Index after, Scalar value = 0);

/// @}

}  // namespace gradus
