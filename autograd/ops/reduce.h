/// @file
/// Reductions over chosen axes, the running sum, the mean squared error, and the two ways between a
/// shape and the one it broadcasts to.
#pragma once

#include "autograd/tensor.h"

namespace gradus {

/// @defgroup reduce Reductions
/// Sums, means, largest elements and variances over axes. `axes` names what is reduced: one axis,
/// `{0, -1}`, or nothing for all. All gradients here can be differentiated again.
/// @{

/// Options of the reductions: `sum(x, -1, {.keepdim = true})`.
struct ReduceOptions {
  bool keepdim =
      false;  ///< reduced axes stay, with size 1, so that the result broadcasts against x
};

/// The sum over `axes`. Gradient: dx = dy, repeated along the axes. The sum of nothing is 0.
/// @throws std::invalid_argument if an axis is absent or named twice.
///
/// @code
/// sum(tensor({{1, 2}, {3, 4}}), 0);  // [4, 6]
/// @endcode
Tensor sum(const Tensor& x, const Axes& axes = {}, ReduceOptions options = {});

/// The mean over `axes`. Gradient: dx = dy / n for n elements averaged.
/// @throws std::invalid_argument if an axis is absent or named twice, or there is nothing to
/// average.
///
/// @code
/// mean(tensor({{1, 2}, {3, 4}}), 0);  // [2, 3]
/// @endcode
Tensor mean(const Tensor& x, const Axes& axes = {}, ReduceOptions options = {});

/// The largest element over `axes`; NaN if there is one. Gradient: dy goes to the largest element;
/// equal ones share it equally.
/// @throws std::invalid_argument if an axis is absent or named twice, or there is nothing to choose
/// from.
///
/// @code
/// max(tensor({{1, 5}, {3, 4}}), 1);  // [5, 4]
/// @endcode
Tensor max(const Tensor& x, const Axes& axes = {}, ReduceOptions options = {});

/// The smallest element over `axes`; all else as max().
/// @throws std::invalid_argument as max() does.
///
/// @code
/// min(tensor({{1, 5}, {3, 4}}), 1);  // [1, 3]
/// @endcode
Tensor min(const Tensor& x, const Axes& axes = {}, ReduceOptions options = {});

/// The variance over `axes`, \f$ y = \overline{(x - \overline x)^2} \f$ with a bar for the mean:
/// divided by n, as layer norm does, not by n - 1. Gradient:
/// \f$ dx = 2\,(x - \overline x)\,dy / n \f$.
/// @throws std::invalid_argument if an axis is absent or named twice, or there is nothing to
/// average.
///
/// @code
/// variance(tensor({{1, 3}, {2, 8}}), 1);  // [1, 9]
/// @endcode
Tensor variance(const Tensor& x, const Axes& axes = {}, ReduceOptions options = {});

/// The running sums along one axis, \f$ y_i = \sum_{j \le i} x_j \f$, in x's shape. Gradient:
/// \f$ dx_j = \sum_{i \ge j} dy_i \f$.
/// @throws std::invalid_argument if the axis is absent.
///
/// @code
/// cumsum(tensor({{1, 2, 3}, {4, 5, 6}}), 1);  // [[1, 3, 6], [4, 9, 15]]
/// @endcode
Tensor cumsum(const Tensor& x, int axis);

/// The mean squared error, \f$ L = \overline{(x - t)^2} \f$ over all n elements; shape [].
/// Gradient: \f$ dx = 2\,(x - t)\,dL / n \f$, and dt = -dx.
/// @throws std::invalid_argument if the shapes differ (nothing is broadcast: that hides mistakes),
/// or there are no elements.
///
/// @code
/// mse_loss(tensor({1, 5}), tensor({2, 2}));  // 5
/// @endcode
Tensor mse_loss(const Tensor& x, const Tensor& target);

/// x summed down to `shape`, which broadcasts to x's: what undoes broadcasting in a gradient.
/// Returns x itself if the shapes are equal. Gradient: dx = dy, broadcast.
/// @throws std::invalid_argument if `shape` does not broadcast to x's.
///
/// @code
/// sum_to(ones({2, 3}), {3});  // [2, 2, 2]
/// @endcode
Tensor sum_to(const Tensor& x, const Shape& shape);

/// x repeated to `shape`. Gradient: dx = dy, summed to x's shape.
/// @throws std::invalid_argument if x does not broadcast to `shape`.
///
/// @code
/// broadcast_to(tensor({1, 2}), {2, 2});  // [[1, 2], [1, 2]]
/// @endcode
Tensor broadcast_to(const Tensor& x, const Shape& shape);

/// @}

}  // namespace gradus
