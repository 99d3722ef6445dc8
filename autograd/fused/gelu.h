/// @file
/// GELU in its tanh form, and its slope, for one element.
#pragma once

#include "autograd/kernels/vector_math.h"
#include "autograd/scalar.h"

namespace gradus {

/// @addtogroup kernels
/// @{

// tanh(u) = 2 sigmoid(2 u) - 1, so x / 2 (1 + tanh(u)) = x sigmoid(2 u): one exponential, one
// division.
inline constexpr Scalar kGeluScale = static_cast<Scalar>(1.5957691216057308);  ///< 2 sqrt(2 / pi)
inline constexpr Scalar kGeluCubic = static_cast<Scalar>(0.044715);            ///< of x^3

/// x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).
[[gnu::always_inline]] inline Scalar gelu_of(Scalar x) {
  return x * sigmoid_of(kGeluScale * (x + kGeluCubic * x * x * x));
}

/// d gelu_of(x) / dx. With s = sigmoid(v(x)) it is s + x s (1 - s) v'(x).
[[gnu::always_inline]] inline Scalar gelu_slope_of(Scalar far) {
  // Beyond 30 s is 0 or 1 to the last bit, while x^2 might overflow and 0 times infinity is no
  // number.
  const Scalar x = far < -30 ? Scalar(-30) : far > 30 ? Scalar(30) : far;
  const Scalar s = sigmoid_of(kGeluScale * (x + kGeluCubic * x * x * x));
  return s + x * s * (1 - s) * kGeluScale * (1 + 3 * kGeluCubic * x * x);
}

/// @}

}  // namespace gradus
