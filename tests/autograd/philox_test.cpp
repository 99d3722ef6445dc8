/// @file
/// Compares Philox with its published vectors, and checks the exact conversions and the statistics
/// of fixed streams.
#include "autograd/kernels/philox.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

using namespace gradus;

namespace {

struct Moments {
  double mean = 0.0;
  double variance = 0.0;
};

Moments moments(const std::vector<double>& x) {
  Moments m;
  for (const double v : x) m.mean += v / x.size();
  for (const double v : x) m.variance += (v - m.mean) * (v - m.mean) / x.size();
  return m;
}

double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const Moments mx = moments(x), my = moments(y);
  double covariance = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    covariance += (x[i] - mx.mean) * (y[i] - my.mean) / x.size();
  }
  return covariance / std::sqrt(mx.variance * my.variance);
}

constexpr std::size_t kDraws = 100'000;

std::vector<double> uniforms(const RandomKey& key, std::uint64_t first = 0) {
  std::vector<double> x(kDraws);
  for (std::size_t i = 0; i < kDraws; ++i) x[i] = uniform_at(key, first + i);
  return x;
}

}  // namespace

TEST_CASE("philox4x32: known answers of the Random123 distribution") {
  constexpr PhiloxBlock kZeros{0, 0, 0, 0}, kOnes{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff};
  constexpr PhiloxBlock kPi{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344};
  CHECK(philox4x32(kZeros, {0, 0}) == PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox4x32(kOnes, {0xffffffff, 0xffffffff}) ==
        PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox4x32(kPi, {0xa4093822, 0x299f31d0}) ==
        PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
  CHECK(philox4x32<7>(kZeros, {0, 0}) ==
        PhiloxBlock{0x5f6fb709, 0x0d893f64, 0x4f121f81, 0x4f730a48});
  CHECK(philox4x32<7>(kOnes, {0xffffffff, 0xffffffff}) ==
        PhiloxBlock{0x5207ddc2, 0x45165e59, 0x4d8ee751, 0x8c52f662});
  CHECK(philox4x32<7>(kPi, {0xa4093822, 0x299f31d0}) ==
        PhiloxBlock{0x4dfccaba, 0x190a87f0, 0xc47362ba, 0xb6b5242a});
}

TEST_CASE("random_block: where block, place, step and seed go") {
  // The third vector above, with counter and key packed into a RandomKey.
  const RandomKey key{.seed = 0x299f31d0a4093822, .step = 0x03707344, .place = 0x13198a2e};
  CHECK(random_block(key, 0x85a308d3243f6a88) ==
        PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("uniform_of: the top 24 bits, exactly") {
  CHECK(uniform_of(0) == Scalar(0));
  CHECK(uniform_of(0xff) == Scalar(0));
  CHECK(uniform_of(0x100) == Scalar(0x1p-24));
  CHECK(uniform_of(0x80000000) == Scalar(0.5));
  CHECK(uniform_of(0xffffffff) == Scalar(1.0 - 0x1p-24));
  CHECK(uniform_of(0xffffffff) < Scalar(1));
  const RandomKey key{.seed = 42, .step = 1, .place = 2};
  for (std::uint64_t e = 0; e < 9; ++e) {
    CHECK(uniform_at(key, e) == uniform_of(random_block(key, e / 4)[e % 4]));
  }
}

TEST_CASE("normals_of: Box and Muller by hand") {
  // u1 = 1: radius 0 for every angle.
  const auto [zero, also_zero] = normals_of(0xffffffff, 0x40000000);
  CHECK(zero == Scalar(0));
  CHECK(also_zero == Scalar(0));
  // u1 = 2^-24, u2 = 0: the largest radius, sqrt(48 ln 2).
  const auto [largest, none] = normals_of(0, 0);
  CHECK(largest == doctest::Approx(5.7681075464).epsilon(1e-7));
  CHECK(none == Scalar(0));
  // u1 = 1/2, u2 = 1/4 and 3/4: cos is 0, sin is 1 and -1; sqrt(2 ln 2) = 1.17741002...
  const auto [right, up] = normals_of(0x7fffff00, 0x40000000);
  CHECK(std::fabs(right) < 1e-15);
  CHECK(up == doctest::Approx(1.1774100225).epsilon(1e-7));
  const auto [left, down] = normals_of(0x7fffff00, 0xc0000000);
  CHECK(std::fabs(left) < 1e-15);
  CHECK(down == doctest::Approx(-1.1774100225).epsilon(1e-7));
}

TEST_CASE("normal_at: words 2k and 2k + 1 make normals 2k and 2k + 1") {
  const RandomKey key{.seed = 42, .step = 1, .place = 2};
  for (std::uint64_t e = 0; e < 16; e += 2) {
    const auto [even, odd] = normals_of(bits_at(key, e), bits_at(key, e + 1));
    CHECK(normal_at(key, e) == even);
    CHECK(normal_at(key, e + 1) == odd);
  }
}

// The bounds below are five standard errors of the statistic for 100,000 draws. The seeds are
// fixed, and so are the results.

TEST_CASE("uniform_at: mean, variance and even filling") {
  const std::vector<double> x = uniforms({.seed = 1337, .step = 0, .place = 0});
  const Moments m = moments(x);
  CHECK(std::fabs(m.mean - 0.5) < 5 * 0.28868 / std::sqrt(double(kDraws)));
  CHECK(std::fabs(m.variance - 1.0 / 12) < 5 * 0.07454 / std::sqrt(double(kDraws)));
  // Chi-square of 100 equal bins: mean 99, standard deviation sqrt(2 * 99) = 14.07.
  std::vector<double> counts(100);
  for (const double v : x) counts.at(static_cast<std::size_t>(v * 100)) += 1;
  double chi_square = 0.0;
  for (const double c : counts)
    chi_square += (c - kDraws / 100.0) * (c - kDraws / 100.0) * 100 / kDraws;
  CHECK(std::fabs(chi_square - 99) < 5 * 14.07);
}

TEST_CASE("normal_at: mean, variance and kurtosis") {
  std::vector<double> x(kDraws), fourth(kDraws);
  const RandomKey key{.seed = 1337, .step = 0, .place = 1};
  for (std::size_t i = 0; i < kDraws; ++i) {
    x[i] = normal_at(key, i);
    fourth[i] = x[i] * x[i] * x[i] * x[i];
  }
  const double root = std::sqrt(double(kDraws));
  CHECK(std::fabs(moments(x).mean) < 5 / root);
  CHECK(std::fabs(moments(x).variance - 1.0) < 5 * std::sqrt(2.0) / root);
  CHECK(std::fabs(moments(fourth).mean - 3.0) < 5 * std::sqrt(96.0) / root);
}

TEST_CASE("random streams that differ in one thing are independent") {
  const RandomKey base{.seed = 1337, .step = 10, .place = 4};
  const std::vector<double> x = uniforms(base);
  const double bound = 5 / std::sqrt(double(kDraws));
  CHECK(correlation(x, x) == doctest::Approx(1.0));
  CHECK(std::fabs(correlation(x, uniforms(base, 1))) < bound);  // its own neighbour
  CHECK(std::fabs(correlation(x, uniforms({.seed = 1338, .step = 10, .place = 4}))) < bound);
  CHECK(std::fabs(correlation(x, uniforms({.seed = 1337, .step = 11, .place = 4}))) < bound);
  CHECK(std::fabs(correlation(x, uniforms({.seed = 1337, .step = 10, .place = 5}))) < bound);
  // Step and place are separate words: exchanging them gives another stream.
  CHECK(std::fabs(correlation(x, uniforms({.seed = 1337, .step = 4, .place = 10}))) < bound);
}

TEST_CASE("normal_at: the two of a pair are independent, in size as well") {
  std::vector<double> a(kDraws), b(kDraws), a2(kDraws), b2(kDraws);
  for (std::size_t i = 0; i < kDraws; ++i) {
    const RandomKey key{.seed = 7, .step = 2, .place = 0};
    a[i] = normal_at(key, 2 * i);
    b[i] = normal_at(key, 2 * i + 1);
    a2[i] = a[i] * a[i];
    b2[i] = b[i] * b[i];
  }
  CHECK(std::fabs(correlation(a, b)) < 5 / std::sqrt(double(kDraws)));
  CHECK(std::fabs(correlation(a2, b2)) < 5 / std::sqrt(double(kDraws)));
}
