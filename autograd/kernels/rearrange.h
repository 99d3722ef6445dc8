/// @file
/// Copies that rearrange elements: strided runs, and permuted axes.
#pragma once

#include <array>

#include "autograd/shape.h"

namespace gradus::detail {

/// @addtogroup kernels
/// @{

/// Copies `rows` runs of `n` elements, x_step apart in x and y_step apart in y.
void copy_runs(Index rows, Index n, const Scalar* x, Index x_step, Scalar* y, Index y_step);

/// Adds `rows` runs of `n` elements, x_step apart in x, to runs of y, y_step apart.
void add_runs(Index rows, Index n, const Scalar* x, Index x_step, Scalar* y, Index y_step);

/// Copies `rows` runs of `n` elements. `value` is put `before` times before each run and `after`
/// times after it.
void pad_runs(Index rows, Index n, const Scalar* x, Index before, Index after, Scalar value,
              Scalar* y);

/// The shape with permuted axes: axis i of the result is axis order[i] of `from`.
Shape permute_shape(const Shape& from, const std::array<int, kMaxRank>& order);

/// y = x, of shape `from`, with permuted axes: axis i of y is axis order[i] of x.
void permute_elements(const Shape& from, const std::array<int, kMaxRank>& order, const Scalar* x,
                      Scalar* y);

/// @}

}  // namespace gradus::detail
