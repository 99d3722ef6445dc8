#include "autograd/ops/random.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

using namespace gradus;

namespace {

constexpr RandomKey kKey{.seed = 42, .step = 1, .place = 2};

double mean_power(const Tensor& x, int power) {
  double sum = 0;
  for (Scalar v : x) sum += std::pow(static_cast<double>(v), power);
  return sum / static_cast<double>(x.size());
}

}  // namespace

TEST_CASE("random: known numbers, the same in float and double") {
  // Computed with a separate Philox4x32-10 in Python.
  const double uniforms[] = {2.036848545074463, -0.7954680919647217, 1.1117041110992432,
                             -0.7441916465759277, 1.0182843208312988};
  const double normals[] = {11.408558504420483, 10.468779992382673, 12.080558557019277,
                            10.884119912456788, 8.434569659588908};
  const Tensor u = uniform({5}, kKey, -1, 3);
  const Tensor z = normal({5}, kKey, 10, 2);
  for (int i = 0; i < 5; ++i) {
    CHECK(u.at({i}) == doctest::Approx(uniforms[i]).epsilon(1e-6));
    CHECK(z.at({i}) == doctest::Approx(normals[i]).epsilon(1e-6));
    CHECK(uniform_index(kKey, i, 1000) == std::vector<Index>{51, 63, 633, 806, 968}[i]);
  }
  CHECK(permutation(10, kKey) == std::vector<Index>{6, 8, 1, 7, 9, 0, 2, 3, 5, 4});
}

TEST_CASE("random: an element depends on key and place alone") {
  const Tensor u = uniform({10007}, kKey), z = normal({10007}, kKey);
  for (Index i : {0, 1, 2, 3, 4, 5, 6, 7, 2047, 2048, 10005, 10006}) {
    CHECK(u.at({i}) == uniform_at(kKey, i));
    CHECK(z.at({i}) == normal_at(kKey, i));
  }
  CHECK(uniform({73, 137}, kKey).values() ==
        uniform({10001}, kKey).values());  // independent of the shape
  CHECK(uniform({5}, {.seed = 43, .step = 1, .place = 2}).values() != uniform({5}, kKey).values());
  CHECK(uniform({5}, {.seed = 42, .step = 2, .place = 2}).values() != uniform({5}, kKey).values());
  CHECK(uniform({5}, {.seed = 42, .step = 1, .place = 3}).values() != uniform({5}, kKey).values());
  CHECK(uniform({0}, kKey).size() == 0);
  CHECK(normal({}, kKey).item() == normal_at(kKey, 0));
}

TEST_CASE("random: a range whose width overflows") {
  const Scalar far = std::numeric_limits<Scalar>::max() * Scalar(0.9);
  const Tensor x = uniform({1001}, kKey, -far, far), unit = uniform({1001}, kKey, -1, 1);
  for (Index i = 0; i < 1001; ++i) {
    CHECK(x.at({i}) / far == doctest::Approx(unit.at({i})).epsilon(1e-6));
  }
}

TEST_CASE("random: ranges and moments") {
  constexpr Index kCount = 1'000'000;  // errors of a mean are about 0.001 of the spread
  const Tensor u = uniform({kCount}, kKey, -3, 5);
  CHECK(*std::min_element(u.begin(), u.end()) >= -3);
  CHECK(*std::max_element(u.begin(), u.end()) < 5);
  CHECK(mean_power(u, 1) == doctest::Approx(1).epsilon(0.01));
  CHECK(mean_power(u, 2) == doctest::Approx(1 + 64.0 / 12).epsilon(0.01));
  const Tensor z = normal({kCount}, kKey);
  CHECK(std::abs(mean_power(z, 1)) < 0.005);
  CHECK(mean_power(z, 2) == doctest::Approx(1).epsilon(0.01));
  CHECK(std::abs(mean_power(z, 3)) < 0.02);
  CHECK(mean_power(z, 4) == doctest::Approx(3).epsilon(0.02));
}

TEST_CASE("random: rounding does not reach the upper end") {
  // In float 1 + (1 - 2^-24) is 2. This occurs within a few thousand numbers of a narrow range, or
  // of one far from 0.
  const Scalar low = Scalar(0.5) / std::numeric_limits<Scalar>::epsilon(), high = low + 1;
  const Tensor u = uniform({10000}, kKey, low, high);
  CHECK(*std::min_element(u.begin(), u.end()) >= low);
  CHECK(*std::max_element(u.begin(), u.end()) < high);
}

TEST_CASE("random: indices are in range and all as likely") {
  std::vector<int> counts(7);
  for (Index i = 0; i < 70'000; ++i) {
    const Index index = uniform_index(kKey, i, 7);
    REQUIRE(index >= 0);
    REQUIRE(index < 7);
    ++counts[index];
  }
  for (int count : counts) CHECK(std::abs(count - 10'000) < 500);  // five deviations
  CHECK(uniform_index(kKey, 0, 1) == 0);
  const Index huge = std::numeric_limits<Index>::max();
  CHECK(uniform_index(kKey, 5, huge) > huge / 1000);
  CHECK(uniform_index(kKey, 5, huge) < huge);
}

TEST_CASE("random: a permutation holds every number once") {
  for (Index n : {0, 1, 2, 3, 1000}) {
    std::vector<Index> order = permutation(n, kKey);
    REQUIRE(static_cast<Index>(order.size()) == n);
    CHECK(order == permutation(n, kKey));
    std::sort(order.begin(), order.end());
    std::vector<Index> sorted(n);
    std::iota(sorted.begin(), sorted.end(), Index{0});
    CHECK(order == sorted);
  }
  // Each number is equally often at each position.
  int counts[3][3] = {};
  for (std::uint32_t step = 0; step < 9000; ++step) {
    const std::vector<Index> order = permutation(3, {.seed = 1, .step = step});
    for (int i = 0; i < 3; ++i) ++counts[i][order[i]];
  }
  for (const auto& row : counts) {
    for (int count : row) CHECK(std::abs(count - 3000) < 250);
  }
}

TEST_CASE("random: wrong arguments") {
  CHECK_THROWS_WITH_AS(uniform({2}, kKey, 1, 1), doctest::Contains("low must be below high"),
                       std::invalid_argument);
  CHECK_THROWS_AS(uniform({2}, kKey, 0, INFINITY), std::invalid_argument);
  CHECK_THROWS_WITH_AS(normal({2}, kKey, 0, -1), doctest::Contains("got 0 and -1"),
                       std::invalid_argument);
  CHECK_THROWS_AS(normal({2}, kKey, NAN, 1), std::invalid_argument);
  CHECK_THROWS_WITH_AS(uniform_index(kKey, 0, 0), doctest::Contains("at least one number"),
                       std::invalid_argument);
  CHECK_THROWS_AS(permutation(-1, kKey), std::invalid_argument);
}
