/// @file
/// Reductions along one row of elements, as softmax, cross-entropy and attention need them.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "autograd/kernels/vector_math.h"
#include "autograd/scalar.h"

namespace gradus::detail {

/// @addtogroup kernels
/// @{

/// The largest of x[0..n), -inf if n is 0. NaN is ignored here; it makes the sums NaN instead.
inline Scalar row_max(const Scalar* x, Index n) {
  Scalar best = -std::numeric_limits<Scalar>::infinity();
#pragma omp simd reduction(max : best)
  for (Index i = 0; i < n; ++i) {
    best = x[i] > best ? x[i] : best;
  }
  // The reduction may begin at the lowest finite number (clang's does), so -inf is checked
  // separately.
  const bool found =
      best > std::numeric_limits<Scalar>::lowest() || std::find(x, x + n, best) != x + n;
  return found ? best : -std::numeric_limits<Scalar>::infinity();
}

/// y[i] = e^(x[i] - shift); returns the sum of y. x and y may be the same.
inline Scalar row_exp(const Scalar* x, Scalar shift, Scalar* y, Index n) {
  Scalar sum = 0;
#pragma omp simd reduction(+ : sum)
  for (Index i = 0; i < n; ++i) {
    y[i] = exp_of(x[i] - shift);
    sum += y[i];
  }
  return sum;
}

/// The sum of e^(x[i] - shift).
inline Scalar row_sum_exp(const Scalar* x, Scalar shift, Index n) {
  Scalar sum = 0;
#pragma omp simd reduction(+ : sum)
  for (Index i = 0; i < n; ++i) {
    sum += exp_of(x[i] - shift);
  }
  return sum;
}

/// The sum of x[i] y[i].
inline Scalar row_dot(const Scalar* x, const Scalar* y, Index n) {
  Scalar sum = 0;
#pragma omp simd reduction(+ : sum)
  for (Index i = 0; i < n; ++i) {
    sum += x[i] * y[i];
  }
  return sum;
}

/// Whether a sum of n squares is accurate: no square was too large for a Scalar, and squares that
/// were too small and rounded to 0 are negligible beside it.
inline bool fits_squares(double sum, Index n) {
  using Limits = std::numeric_limits<Scalar>;
  constexpr double kLeast = static_cast<double>(Limits::min() / Limits::epsilon());
  return sum >= kLeast * static_cast<double>(n) && sum <= std::numeric_limits<double>::max();
}

/// The root of the sum of x[i]^2. If squares are too large or too small for a Scalar, the elements
/// are first divided by the largest one.
inline double row_norm(const Scalar* x, Index n) {
  const double squares = row_dot(x, x, n);
  if (fits_squares(squares, n) || squares != squares) {
    return std::sqrt(squares);
  }
  Scalar top = 0;
  for (Index i = 0; i < n; ++i) {
    top = std::max(top, std::abs(x[i]));
  }
  if (top == 0 || top > std::numeric_limits<Scalar>::max()) {
    return top;
  }
  double sum = 0;
  for (Index i = 0; i < n; ++i) {
    const double share = static_cast<double>(x[i]) / static_cast<double>(top);
    sum += share * share;
  }
  return static_cast<double>(top) * std::sqrt(sum);
}

/// The sum of x[i].
inline Scalar row_sum(const Scalar* x, Index n) {
  Scalar sum = 0;
#pragma omp simd reduction(+ : sum)
  for (Index i = 0; i < n; ++i) {
    sum += x[i];
  }
  return sum;
}

/// x[i] *= factor.
inline void row_scale(Scalar* x, Scalar factor, Index n) {
  for (Index i = 0; i < n; ++i) {
    x[i] *= factor;
  }
}

/// @}

}  // namespace gradus::detail
