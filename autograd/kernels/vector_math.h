/// @file
/// exp, log, tanh, erf and the logistic function, written so that plain loops over them vectorise:
///
///     for (std::size_t i = 0; i < n; ++i) y[i] = exp_of(x[i]);
///
/// becomes AVX-512, AVX2 or SSE code with gcc and clang at -O3 -fno-math-errno -fno-trapping-math.
/// No function branches, calls or looks up a table: where two formulas are needed, both are
/// evaluated and one is selected. The functions compose (GELU is a loop body over tanh_of) and stay
/// in registers.
///
/// The float versions are within 2 units in the last place of the true value for every float,
/// subnormal results included. For zeros (with their sign), infinities and NaN they return the same
/// values as the standard functions. They need IEEE arithmetic in the order as written, with
/// rounding to nearest: no -ffast-math. The double versions call the standard library; they are for
/// the build that checks gradients, where speed does not matter.
///
/// Polynomials are minimax approximations of the relative error, found by Remez exchange;
/// tools/minimax.py prints them. Errors stated below are errors of the polynomial, before rounding.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace gradus::detail {

/// @addtogroup kernels
/// @{

/// The bytes of the widest vector register that the build may use.
#if defined(__AVX512F__)
inline constexpr std::size_t kRegisterBytes = 64;
#elif defined(__AVX2__)
inline constexpr std::size_t kRegisterBytes = 32;
#else
inline constexpr std::size_t kRegisterBytes = 16;
#endif

namespace vector_math_detail {

/// A number as power * ln 2 + rest with |rest| <= ln 2 / 2; the power is in two's complement.
struct PowerAndRest {
  std::uint32_t power;
  float rest;
};

/// 1.5 * 2^23: floats of this size are integers, so adding it rounds to an integer, which is then
/// in the lowest bits of the sum. (Converting a NaN to an integer would be undefined.)
inline constexpr float kRounder = 12582912.0f;

/// The integer n in a sum kRounder + n, in two's complement.
[[gnu::always_inline]] inline std::uint32_t integer_in(float rounded_sum) {
  return std::bit_cast<std::uint32_t>(rounded_sum) - std::bit_cast<std::uint32_t>(kRounder);
}

/// ln 2 in two parts: the first has 15 bits, so that its product with a power is exact.
inline constexpr float kLn2High = 0.693145752f;
inline constexpr float kLn2Low = 1.42860682e-6f;

/// Splits x. Beyond |x| <= 104, power and rest may be anything.
[[gnu::always_inline]] inline PowerAndRest split_by_ln2(float x) {
  const float sum = x * 1.44269504f + kRounder;
  const float power = sum - kRounder;
  const float rest = (x - power * kLn2High) - power * kLn2Low;
  return {integer_in(sum), rest};
}

/// 2^power as a float, for -126 <= power <= 127: the exponent bits alone.
[[gnu::always_inline]] inline float two_to(std::uint32_t power) {
  return std::bit_cast<float>((power + 127u) << 23);
}

/// power / 2, rounded down, of a power in two's complement.
[[gnu::always_inline]] inline std::uint32_t half_of(std::uint32_t power) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(power) >> 1);
}

/// e^r - 1 for |r| <= ln 2 / 2, accurate near zero too; relative error 1.7e-8.
[[gnu::always_inline]] inline float expm1_near_zero(float r) {
  float p = 0.0013882505f;
  p = p * r + 0.00836658012f;
  p = p * r + 0.0416672006f;
  p = p * r + 0.166665435f;
  p = p * r + 0.49999997f;
  return r + r * r * p;
}

}  // namespace vector_math_detail

/// e^x. Overflows to infinity above 88.72, falls through the subnormals to 0 at -103.97.
[[gnu::always_inline]] inline float exp_of(float x) {
  using namespace vector_math_detail;
  const auto [power, rest] = split_by_ln2(x);
  const float significand = 1.0f + expm1_near_zero(rest);
  // 2^power may be out of range although the result is not: multiply by two factors instead.
  const std::uint32_t half = half_of(power);
  const float y = significand * two_to(half) * two_to(power - half);
  // Beyond these bounds y may be anything; NaN fails both comparisons and stays NaN. (Bounding x
  // before instead would cost twice the instructions: compilers select four results.)
  const float bounded = x > 89.0f ? std::numeric_limits<float>::infinity() : y;
  return x < -104.0f ? 0.0f : bounded;
}
/// The same in double, with the standard library.
inline double exp_of(double x) { return std::exp(x); }

/// Natural logarithm: -infinity at either zero, NaN below.
[[gnu::always_inline]] inline float log_of(float x) {
  using namespace vector_math_detail;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  // Subnormals are first multiplied by 2^23, which makes them normal.
  const bool small = x < std::numeric_limits<float>::min();
  const auto bits = std::bit_cast<std::uint32_t>(small ? x * 8388608.0f : x);
  // x = 2^power (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)): 0x3f3504f3 are the bits of sqrt(1/2).
  const auto power = static_cast<std::int32_t>(bits - 0x3f3504f3u) >> 23;
  const float f = std::bit_cast<float>(bits - (static_cast<std::uint32_t>(power) << 23)) - 1.0f;
  const float n = static_cast<float>(power) - (small ? 23.0f : 0.0f);
  // log(1 + f) = f - f^2/2 + f^3 P(f), relative error 8.1e-9.
  float p = -0.0763454735f;
  p = p * f + 0.127616212f;
  p = p * f - 0.13160184f;
  p = p * f + 0.142017514f;
  p = p * f - 0.166233569f;
  p = p * f + 0.200012267f;
  p = p * f - 0.250008225f;
  p = p * f + 0.333333313f;
  const float square = f * f;
  const float correction = (square * f * p + n * kLn2Low) - 0.5f * square;
  float y = n * kLn2High + (f + correction);
  y = x > 0.0f ? y : std::numeric_limits<float>::quiet_NaN();
  y = x == 0.0f ? -kInfinity : y;
  return x < kInfinity ? y : x + y;  // x itself if infinite or NaN
}
/// The same in double, with the standard library.
inline double log_of(double x) { return std::log(x); }

/// Hyperbolic tangent.
[[gnu::always_inline]] inline float tanh_of(float x) {
  using namespace vector_math_detail;
  const float size = std::fabs(x);
  // |x| < 0.6: x + x^3 P(x^2), relative error 4.8e-9.
  const float square = x * x;
  float p = -0.00589516293f;
  p = p * square + 0.0207959767f;
  p = p * square - 0.053783834f;
  p = p * square + 0.133319244f;
  p = p * square - 0.333332986f;
  const float near = x + x * square * p;
  // 0.6 <= |x|: 1 - 2 / (e^2|x| + 1); tanh rounds to 1 from 9.02 on.
  const float clipped = size > 10.0f ? 10.0f : size;
  const auto [power, rest] = split_by_ln2(2.0f * clipped);
  const float scale = two_to(power);
  const float far = 1.0f - 2.0f / (expm1_near_zero(rest) * scale + scale + 1.0f);
  return std::copysign(size < 0.6f ? near : far, x);
}
/// The same in double, with the standard library.
inline double tanh_of(double x) { return std::tanh(x); }

/// Error function, \f$ \frac{2}{\sqrt\pi} \int_0^x e^{-t^2} dt \f$.
[[gnu::always_inline]] inline float erf_of(float x) {
  using namespace vector_math_detail;
  const float size = std::fabs(x);
  // |x| < 1: x + x P(x^2), relative error 2.6e-9.
  const float square = x * x;
  float p = 7.85387747e-05f;
  p = p * square - 0.000801019836f;
  p = p * square + 0.00518832821f;
  p = p * square - 0.0268538129f;
  p = p * square + 0.112835854f;
  p = p * square - 0.37612626f;
  p = p * square + 0.128379166f;
  const float near = x + x * p;
  // 1 <= |x|: 1 - 2^-Q(|x|), relative error 1.9e-8; erf rounds to 1 from 3.92 on.
  const float clipped = size > 4.0f ? 4.0f : size;
  float q = 0.00166949083f;
  q = q * clipped - 0.0213976298f;
  q = q * clipped + 0.128110334f;
  q = q * clipped + 0.94386971f;
  q = q * clipped + 1.61238611f;
  q = q * clipped + 0.00377882831f;
  const float sum = kRounder - q;
  const float rest = ((kRounder - sum) - q) * 0.693147181f;
  const float scale = two_to(integer_in(sum));
  const float far = 1.0f - (expm1_near_zero(rest) * scale + scale);
  return std::copysign(size < 1.0f ? near : far, x);
}
/// The same in double, with the standard library.
inline double erf_of(double x) { return std::erf(x); }

/// The logistic function 1 / (1 + e^-x), accurate in both tails.
[[gnu::always_inline]] inline float sigmoid_of(float x) {
  using namespace vector_math_detail;
  const auto [power, rest] = split_by_ln2(x);
  // With s = 2^power the result is s / (s + e^-rest): the numerator is exact, and the denominator
  // loses least if its smaller terms are added first.
  const std::uint32_t half = half_of(power);
  const float s = two_to(half) * two_to(power - half);
  const float z = expm1_near_zero(-rest);
  const float y = s / (s < 1.0f ? 1.0f + (s + z) : (1.0f + s) + z);
  const float bounded = x > 20.0f ? 1.0f : y;  // rounds to 1 from 17.33 on
  return x < -104.0f ? 0.0f : bounded;         // as in exp_of()
}
/// The same in double, with the standard library.
inline double sigmoid_of(double x) {
  const double e = std::exp(-std::fabs(x));
  return (x < 0.0 ? e : 1.0) / (1.0 + e);
}

/// @}

}  // namespace gradus::detail
