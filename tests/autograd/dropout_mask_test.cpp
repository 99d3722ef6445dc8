/// @file
/// Compares dropout's draws with Philox one by one, and checks the statistics of fixed masks.
#include "autograd/kernels/dropout_mask.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

using namespace gradus;
using detail::DropoutMask;

namespace {

constexpr RandomKey kKey{.seed = 0x123456789abcdef, .step = 7, .place = 65536};

using Draws = std::vector<std::int32_t>;

Draws draws_of(const RandomKey& key, Index first, Index n) {
  Draws draws(static_cast<std::size_t>(n));
  DropoutMask(key, 0).draw(first, n, draws.data());
  return draws;
}

/// Draw `element`, computed alone.
std::int32_t draw_at(const RandomKey& key, Index element) {
  const auto tile = static_cast<std::uint64_t>(element / 128);
  const auto part = static_cast<std::uint32_t>(element % 128 / 16);
  const std::uint64_t block = 16 * tile + static_cast<std::uint64_t>(element % 16);
  const PhiloxBlock words = philox4x32<7>(
      {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), key.place,
       key.step},
      {static_cast<std::uint32_t>(key.seed), static_cast<std::uint32_t>(key.seed >> 32)});
  return static_cast<std::int32_t>(words[part / 2] >> 16 * (part % 2) & 0xffff);
}

/// 1 for each of n elements that is dropped, 0 for the others.
std::vector<char> dropped(const RandomKey& key, Scalar p, Index n, Index first = 0) {
  std::vector<Scalar> y(static_cast<std::size_t>(n), 1);
  DropoutMask(key, p).apply(first, n, y.data(), y.data());
  std::vector<char> mask(y.size());
  std::transform(y.begin(), y.end(), mask.begin(), [](Scalar v) { return v == 0; });
  return mask;
}

/// The correlation of two masks with elements dropped with probability p, in standard errors.
double correlation(const std::vector<char>& a, const std::vector<char>& b, double p,
                   std::size_t lag = 0) {
  double sum = 0;
  const std::size_t n = a.size() - lag;
  for (std::size_t i = 0; i < n; ++i) sum += (a[i] - p) * (b[i + lag] - p);
  return sum / (p * (1 - p) * std::sqrt(static_cast<double>(n)));
}

/// Chi-square of the counts minus its mean, in its standard deviations.
double excess(const std::vector<double>& counts, const std::vector<double>& expected) {
  double chi_square = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    chi_square += (counts[i] - expected[i]) * (counts[i] - expected[i]) / expected[i];
  }
  const double freedom = static_cast<double>(counts.size() - 1);
  return (chi_square - freedom) / std::sqrt(2 * freedom);
}

// Multiples of 2^-16, so that p is the probability itself.
constexpr Scalar kProbabilities[] = {Scalar(6554) / 65536, Scalar(13107) / 65536,
                                     Scalar(32768) / 65536, Scalar(52429) / 65536};

}  // namespace

TEST_CASE("dropout mask: every draw equals the one computed alone") {
  // Starts in the middle of a tile, and around the carry into the block's high word.
  for (const Index first :
       {Index{0}, Index{5}, Index{127}, Index{128}, Index{1} << 35, (Index{1} << 35) - 131}) {
    for (const Index n : {0, 1, 2, 127, 128, 129, 1000}) {
      CAPTURE(first);
      CAPTURE(n);
      const Draws draws = draws_of(kKey, first, n);
      bool same = true;
      for (Index i = 0; i < n; ++i) {
        same = same && draws[static_cast<std::size_t>(i)] == draw_at(kKey, first + i);
      }
      CHECK(same);
    }
  }
}

TEST_CASE("dropout mask: the first draws, for good") {
  // Repeatable runs depend on them. Computed with a separate Philox4x32-7 in Python.
  CHECK(draws_of({.seed = 1}, 0, 24) ==
        Draws{46459, 22467, 41117, 59435, 10798, 20875, 15627, 52194, 1084,  56562, 30344, 58121,
              27046, 40514, 25861, 28960, 62498, 27442, 59004, 12927, 46342, 46040, 4095,  42450});
}

TEST_CASE("dropout mask: elements do not depend on the calls that they come in") {
  constexpr Index kRow = 37, kRows = 29;
  const std::vector<char> all = dropped(kKey, Scalar(0.3), kRow * kRows);
  std::vector<Scalar> rows(all.size(), 1);
  DropoutMask mask(kKey, Scalar(0.3));
  for (const Index row : {3, 1, 2, 0}) {
    mask.apply(row * kRow, kRow, rows.data() + row * kRow, rows.data() + row * kRow);
  }
  for (Index row = 4; row < kRows; ++row) {
    mask.apply(row * kRow, kRow, rows.data() + row * kRow, rows.data() + row * kRow);
  }
  CHECK(std::equal(rows.begin(), rows.end(), all.begin(),
                   [](Scalar v, char gone) { return (v == 0) == (gone != 0); }));
}

TEST_CASE("dropout mask: the factor of kept elements belongs to the rounded probability") {
  const auto kept = [](Scalar p) {
    std::vector<Scalar> y(1024, 1);
    DropoutMask(kKey, p).apply(0, 1024, y.data(), y.data());
    return *std::max_element(y.begin(), y.end());
  };
  CHECK(kept(Scalar(0.5)) == 2);
  CHECK(kept(Scalar(0.2)) == Scalar(65536) / (65536 - 13107));  // 0.2 is 13107.2 / 65536
  CHECK(kept(Scalar(0.1)) == Scalar(65536) / (65536 - 6554));   // 0.1 is 6553.6 / 65536
  CHECK(kept(Scalar(1e-6)) == 1);                               // drops none
  // The largest probability keeps one in 65536.
  const Index n = 1 << 20;
  const std::vector<char> mask = dropped(kKey, std::nextafter(Scalar(1), Scalar(0)), n);
  const auto left = std::count(mask.begin(), mask.end(), 0);
  CHECK((left > 0 && left < 40));
}

// All bounds below are five standard errors. Keys are fixed, and so are the results.

TEST_CASE("dropout mask: bits and values of the draws are evenly distributed") {
  constexpr Index kDraws = 1 << 22;
  const Draws draws = draws_of(kKey, 0, kDraws);
  std::vector<double> values(65536), expected(65536, kDraws / 65536.0);
  for (const std::int32_t draw : draws) values.at(static_cast<std::size_t>(draw)) += 1;
  CHECK(std::abs(excess(values, expected)) < 5);
  for (int bit = 0; bit < 16; ++bit) {
    double ones = 0;
    for (const std::int32_t draw : draws) ones += draw >> bit & 1;
    CAPTURE(bit);
    CHECK(std::abs(ones - kDraws / 2.0) < 5 * std::sqrt(kDraws / 4.0));
  }
  // Neighbours, and the two halves of a word: the upper 4 bits of one and the other.
  for (const std::size_t lag : {1, 16}) {
    std::vector<double> pairs(256);
    const std::size_t count = draws.size() / 32 * 32 - 32;
    for (std::size_t i = 0; i < count; ++i) {
      pairs[static_cast<std::size_t>(draws[i] >> 12 << 4 | draws[i + lag] >> 12)] += 1;
    }
    CAPTURE(lag);
    CHECK(std::abs(excess(pairs, std::vector<double>(256, static_cast<double>(count) / 256))) < 5);
  }
}

TEST_CASE("dropout mask: drops as many elements as it says, in no pattern") {
  constexpr Index kCount = 1 << 21;
  constexpr std::size_t kRun = 4;
  for (const Scalar p : kProbabilities) {
    CAPTURE(p);
    const std::vector<char> mask = dropped(kKey, p, kCount);
    const double gone = static_cast<double>(std::count(mask.begin(), mask.end(), 1));
    CHECK(std::abs(gone - p * kCount) < 5 * std::sqrt(p * (1 - p) * kCount));
    // Runs of four elements, and four elements a row of 128 apart.
    for (const std::size_t step : {std::size_t{1}, std::size_t{128}}) {
      std::vector<double> counts(1 << kRun), expected(1 << kRun);
      for (std::size_t i = 0; i + kRun * step <= mask.size(); i += kRun * step) {
        for (std::size_t j = 0; j < step; ++j) {
          std::size_t pattern = 0;
          for (std::size_t k = 0; k < kRun; ++k) {
            pattern = 2 * pattern + static_cast<std::size_t>(mask[i + j + k * step]);
          }
          counts[pattern] += 1;
        }
      }
      for (std::size_t pattern = 0; pattern < expected.size(); ++pattern) {
        expected[pattern] = static_cast<double>(kCount) / kRun;
        for (std::size_t k = 0; k < kRun; ++k) {
          expected[pattern] *= (pattern >> k & 1) != 0 ? p : 1 - p;
        }
      }
      CAPTURE(step);
      CHECK(std::abs(excess(counts, expected)) < 5);
    }
  }
}

TEST_CASE("dropout mask: no correlation along rows, across rows, steps or keys") {
  constexpr Index kCount = 1 << 20;
  for (const Scalar p : kProbabilities) {
    CAPTURE(p);
    const std::vector<char> mask = dropped(kKey, p, kCount);
    CHECK(correlation(mask, mask, p) > 500);  // itself
    // Neighbours; the other draws of a block, 16 apart; rows of 100, 128 and 384 elements.
    for (const std::size_t lag : {1, 2, 3, 4, 8, 16, 32, 48, 64, 100, 112, 128, 256, 384}) {
      CAPTURE(lag);
      CHECK(std::abs(correlation(mask, mask, p, lag)) < 5);
    }
    RandomKey step = kKey, place = kKey, seed = kKey, high_seed = kKey;
    step.step += 1;
    place.place += 1;
    seed.seed += 1;
    high_seed.seed += std::uint64_t{1} << 32;
    const RandomKey swapped{.seed = kKey.seed, .step = kKey.place, .place = kKey.step};
    for (const RandomKey& other : {step, place, seed, high_seed, swapped}) {
      CAPTURE(other.seed);
      CAPTURE(other.step);
      CAPTURE(other.place);
      CHECK(std::abs(correlation(mask, dropped(other, p, kCount), p)) < 5);
    }
  }
}

TEST_CASE("dropout mask: sums over steps and over places are as wide as chance makes them") {
  // The number of drops of each of 1024 elements over 512 keys that differ in the step or the
  // place: a generator that mixes these words badly drops some elements too often.
  constexpr Index kElements = 1024;
  constexpr std::uint32_t kKeys = 512;
  for (const bool of_step : {true, false}) {
    for (const Scalar p : kProbabilities) {
      std::vector<double> drops(kElements);
      for (std::uint32_t i = 0; i < kKeys; ++i) {
        RandomKey key{.seed = 1337, .step = 0, .place = 65536};
        (of_step ? key.step : key.place) += i;
        const std::vector<char> mask = dropped(key, p, kElements);
        for (std::size_t e = 0; e < drops.size(); ++e) drops[e] += mask[e];
      }
      double chi_square = 0;
      for (const double count : drops) {
        chi_square += (count - p * kKeys) * (count - p * kKeys) / (p * (1 - p) * kKeys);
      }
      CAPTURE(of_step);
      CAPTURE(p);
      CHECK(std::abs(chi_square - kElements) < 5 * std::sqrt(2.0 * kElements));
    }
  }
}
