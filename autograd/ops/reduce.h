/// @file
/// Reductions over chosen axes, running sums, and conversions between a shape and a shape to which
/// it broadcasts.
#pragma once

#include "autograd/tensor.h"

namespace gradus {

/// @defgroup reduce Reductions
/// Sums, means, largest elements and variances over axes. `axes` are the axes to reduce: one axis,
/// `{0, -1}`, or nothing for all axes. All gradients here can be differentiated again.
/// @{

/// Options of the reductions: `sum(x, -1, {.keepdim = true})`.
struct ReduceOptions {
  bool keepdim = false;  ///< reduced axes stay, with size 1: the result broadcasts against x
};

namespace detail {
/// axes.mask(op, x.shape()); throws if x has no element to reduce over them.
unsigned filled_axes(const char* op, const Tensor& x, const Axes& axes);
/// Records y, the largest or smallest elements of x, as the result of `op`. Equal elements share
/// the gradient. `kept` is y's shape with the reduced axes kept.
Tensor record_choice(const char* op, const Tensor& y, const Tensor& x, const Shape& kept);
}  // namespace detail

/// The sum over `axes`. Gradient: dx = dy, repeated along the axes. The sum of no elements is 0.
/// Example: `sum(tensor({{1, 2}, {3, 4}}), 0)` is `[4, 6]`.
/// @throws std::invalid_argument if an axis is absent or named twice.
Tensor sum(const Tensor& x, const Axes& axes = {}, ReduceOptions options = {});

/// The mean over `axes`. Gradient: \f$ dx = dy / n \f$ for n elements averaged.
/// Example: `mean(tensor({{1, 2}, {3, 4}}), 0)` is `[2, 3]`.
/// @throws std::invalid_argument if an axis is absent or named twice, or there is nothing to
/// average.
Tensor mean(const Tensor& x, const Axes& axes = {}, ReduceOptions options = {});

/// The largest element over `axes`; NaN if there is a NaN. Gradient: dy goes to the largest
/// element; equal elements share it equally.
/// Example: `max(tensor({{1, 5}, {3, 4}}), 1)` is `[5, 4]`.
/// @throws std::invalid_argument if an axis is absent or named twice, or there is nothing to choose
/// from.
Tensor max(const Tensor& x, const Axes& axes = {}, ReduceOptions options = {});

/// The variance over `axes`, \f$ y = \overline{(x - \overline x)^2} \f$ with a bar for the mean. It
/// divides by n, as layer norm does, not by n - 1. Gradient:
/// \f$ dx = 2\,(x - \overline x)\,dy / n \f$.
/// Example: `variance(tensor({{1, 3}, {2, 8}}), 1)` is `[1, 9]`.
/// @throws std::invalid_argument if an axis is absent or named twice, or there is nothing to
/// average.
Tensor variance(const Tensor& x, const Axes& axes = {}, ReduceOptions options = {});

/// x summed to `shape`, which must broadcast to x's shape. This reverses broadcasting in a
/// gradient. Returns x itself if the shapes are equal. Gradient: dx = dy, broadcast.
/// Example: `sum_to(ones({2, 3}), {3})` is `[2, 2, 2]`.
/// @throws std::invalid_argument if `shape` does not broadcast to x's shape.
Tensor sum_to(const Tensor& x, const Shape& shape);

/// x repeated to `shape`. Gradient: dx = dy, summed to x's shape.
/// Example: `broadcast_to(tensor({1, 2}), {2, 2})` is `[[1, 2], [1, 2]]`.
/// @throws std::invalid_argument if x does not broadcast to `shape`.
Tensor broadcast_to(const Tensor& x, const Shape& shape);

/// The smallest element over `axes`; otherwise like max().
/// Example: `min(tensor({{1, 5}, {3, 4}}), 1)` is `[1, 3]`.
/// @throws std::invalid_argument as max() does.
Tensor min(const Tensor& x, const Axes& axes = {}, ReduceOptions options = {});

/// The running sums along one axis, \f$ y_i = \sum_{j \le i} x_j \f$, in x's shape. Gradient:
/// \f$ dx_j = \sum_{i \ge j} dy_i \f$.
/// Example: `cumsum(tensor({{1, 2, 3}, {4, 5, 6}}), 1)` is `[[1, 3, 6], [4, 9, 15]]`.
/// @throws std::invalid_argument if the axis is absent.
Tensor cumsum(const Tensor& x, int axis);

/// The mean squared error, \f$ L = \overline{(x - t)^2} \f$ over all n elements; shape [].
/// Gradient: \f$ dx = 2\,(x - t)\,dL / n \f$, and dt = -dx.
/// Example: `mse_loss(tensor({1, 5}), tensor({2, 2}))` is `5`.
/// @throws std::invalid_argument if the shapes differ (they are not broadcast, as that hides
/// mistakes), or there are no elements.
Tensor mse_loss(const Tensor& x, const Tensor& target);

/// @}

}  // namespace gradus
