/// @file
/// Further reductions: the smallest element, running sums, the mean squared error.
#pragma once

#include "autograd/ops/reduce.h"

namespace gradus {

/// @addtogroup reduce
/// @{

/// The smallest element over `axes`; all else as max().
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
/// @throws std::invalid_argument if the shapes differ (nothing is broadcast: that hides mistakes),
/// or there are no elements.
Tensor mse_loss(const Tensor& x, const Tensor& target);

/// @}

}  // namespace gradus
