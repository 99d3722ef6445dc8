/// @file
/// Compares the float functions with double ones for a dense sample of all bit patterns, and at the
/// limits.
#include "autograd/kernels/vector_math.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

using namespace gradus;
using namespace gradus::detail;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kSmallest = std::numeric_limits<float>::denorm_min();
constexpr float kLargest = std::numeric_limits<float>::max();

/// The distance in units in the last place of a float of the size of `exact`; 1e9 for a wrong kind
/// of number.
double ulps_between(float got, double exact) {
  const float nearest = static_cast<float>(exact);
  if (std::isnan(exact) || std::isinf(nearest)) {
    const bool same = std::isnan(exact) ? std::isnan(got) : got == nearest;
    return same ? 0.0 : 1e9;
  }
  if (!std::isfinite(got) || std::signbit(got) != std::signbit(exact)) {
    return 1e9;
  }
  int exponent = 0;
  std::frexp(exact, &exponent);
  return std::fabs(got - exact) / std::ldexp(1.0, std::max(exponent - 24, -149));
}

/// Compares f with `exact` at every 1009th bit pattern: both signs, every exponent, subnormals,
/// NaNs. Uses arrays, as kernels do, so that the vectorised code is tested.
template <class F, class Exact>
void check_within(double bound, F f, Exact exact) {
  constexpr std::uint64_t kStride = 1009;
  constexpr std::size_t kBatch = 4096;
  std::vector<float> x(kBatch), y(kBatch);
  double worst = 0.0;
  float worst_x = 0.0f;
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += kStride * kBatch) {
    for (std::size_t i = 0; i < kBatch; ++i) {
      x[i] = std::bit_cast<float>(static_cast<std::uint32_t>(bits + kStride * i));
    }
    for (std::size_t i = 0; i < kBatch; ++i) {
      y[i] = f(x[i]);
    }
    for (std::size_t i = 0; i < kBatch; ++i) {
      const double ulps = ulps_between(y[i], exact(static_cast<double>(x[i])));
      if (ulps > worst) {
        worst = ulps;
        worst_x = x[i];
      }
    }
  }
  INFO("worst at x = ", worst_x, ", got ", f(worst_x), ", expected ", exact(worst_x));
  CHECK(worst <= bound);
  CHECK(worst > 0.4);  // the comparison shows rounding
}

bool is_positive_zero(float x) { return x == 0.0f && !std::signbit(x); }
bool is_negative_zero(float x) { return x == 0.0f && std::signbit(x); }

}  // namespace

TEST_CASE("vector math: within 2 ulp of the true value over all floats") {
  SUBCASE("exp") {
    check_within(
        2.0, [](float x) { return exp_of(x); }, [](double x) { return std::exp(x); });
  }
  SUBCASE("log") {
    check_within(
        2.0, [](float x) { return log_of(x); }, [](double x) { return std::log(x); });
  }
  SUBCASE("tanh") {
    check_within(
        2.0, [](float x) { return tanh_of(x); }, [](double x) { return std::tanh(x); });
  }
  SUBCASE("erf") {
    check_within(
        2.0, [](float x) { return erf_of(x); }, [](double x) { return std::erf(x); });
  }
  SUBCASE("sigmoid") {
    check_within(
        2.0, [](float x) { return sigmoid_of(x); },
        [](double x) { return 1.0 / (1.0 + std::exp(-x)); });
  }
}

TEST_CASE("exp_of: edges") {
  CHECK(exp_of(0.0f) == 1.0f);
  CHECK(exp_of(-0.0f) == 1.0f);
  CHECK(exp_of(kSmallest) == 1.0f);
  CHECK(exp_of(88.72283f) < kInfinity);
  CHECK(exp_of(88.72284f) == kInfinity);
  CHECK(exp_of(kLargest) == kInfinity);
  CHECK(exp_of(kInfinity) == kInfinity);
  CHECK(exp_of(-103.97f) == kSmallest);
  CHECK(is_positive_zero(exp_of(-103.98f)));
  CHECK(is_positive_zero(exp_of(-kLargest)));
  CHECK(is_positive_zero(exp_of(-kInfinity)));
  CHECK(std::isnan(exp_of(kNaN)));
}

TEST_CASE("log_of: edges") {
  CHECK(is_positive_zero(log_of(1.0f)));
  CHECK(log_of(0.0f) == -kInfinity);
  CHECK(log_of(-0.0f) == -kInfinity);
  CHECK(log_of(kInfinity) == kInfinity);
  CHECK(log_of(kSmallest) == doctest::Approx(-103.2789299).epsilon(1e-7));
  CHECK(log_of(kLargest) == doctest::Approx(88.7228391).epsilon(1e-7));
  CHECK(std::isnan(log_of(-kSmallest)));
  CHECK(std::isnan(log_of(-1.0f)));
  CHECK(std::isnan(log_of(-kInfinity)));
  CHECK(std::isnan(log_of(kNaN)));
}

TEST_CASE("tanh_of and erf_of: odd, signed zeros, saturation") {
  CHECK(is_positive_zero(tanh_of(0.0f)));
  CHECK(is_negative_zero(tanh_of(-0.0f)));
  CHECK(tanh_of(kSmallest) == kSmallest);
  CHECK(tanh_of(9.5f) == 1.0f);
  CHECK(tanh_of(kInfinity) == 1.0f);
  CHECK(tanh_of(-kInfinity) == -1.0f);
  CHECK(std::isnan(tanh_of(kNaN)));

  CHECK(is_positive_zero(erf_of(0.0f)));
  CHECK(is_negative_zero(erf_of(-0.0f)));
  CHECK(erf_of(kSmallest) == kSmallest);  // 1.128 times the smallest step
  CHECK(erf_of(4.5f) == 1.0f);
  CHECK(erf_of(kInfinity) == 1.0f);
  CHECK(erf_of(-kInfinity) == -1.0f);
  CHECK(std::isnan(erf_of(kNaN)));

  for (const float x : {1e-30f, 0.3f, 0.5999999f, 0.6f, 0.9999999f, 1.0f, 2.5f, 3.9f, 8.0f}) {
    CHECK(tanh_of(-x) == -tanh_of(x));
    CHECK(erf_of(-x) == -erf_of(x));
    CHECK(tanh_of(x) <= 1.0f);
    CHECK(erf_of(x) <= 1.0f);
  }
}

TEST_CASE("sigmoid_of: edges") {
  CHECK(sigmoid_of(0.0f) == 0.5f);
  CHECK(sigmoid_of(-0.0f) == 0.5f);
  CHECK(sigmoid_of(18.0f) == 1.0f);
  CHECK(sigmoid_of(kInfinity) == 1.0f);
  CHECK(sigmoid_of(-100.0f) == doctest::Approx(3.7835e-44).epsilon(0.02));  // 27 smallest steps
  CHECK(is_positive_zero(sigmoid_of(-110.0f)));
  CHECK(is_positive_zero(sigmoid_of(-kInfinity)));
  CHECK(std::isnan(sigmoid_of(kNaN)));
}

TEST_CASE("vector math: the double overloads are the standard functions") {
  for (const double x : {1e-3, 0.7, 3.0}) {
    CHECK(exp_of(x) == std::exp(x));
    CHECK(log_of(x) == std::log(x));
    CHECK(tanh_of(x) == std::tanh(x));
    CHECK(erf_of(x) == std::erf(x));
    CHECK(std::fabs(sigmoid_of(x) - 1.0 / (1.0 + std::exp(-x))) < 1e-15);
    CHECK(std::fabs(sigmoid_of(-x) - 1.0 / (1.0 + std::exp(x))) < 1e-15);
  }
  CHECK(sigmoid_of(-745.0) > 0.0);  // the lower tail is kept
  CHECK(std::isnan(sigmoid_of(std::numeric_limits<double>::quiet_NaN())));
}
