// Tests which positions are masked, how often, and with which tokens.
#include "nn/data/masking.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/random.h"
#include "nn/tasks/rows.h"

using namespace gradus;

namespace {

constexpr std::int32_t kWords = 50, kPad = 50, kBegin = 51, kEnd = 52, kMask = 53;

Masking usual() {
  Masking masking{.words = std::vector<std::int32_t>(kWords), .mask = kMask};
  std::iota(masking.words.begin(), masking.words.end(), 0);
  return masking;
}

/// B rows of [CLS], `words` words, [SEP] and three tokens of padding.
IndexTensor rows_of(Index count, Index words) {
  IndexTensor rows({count, words + 5});
  std::int32_t* at = rows.mutable_data();
  for (Index row = 0; row < count; ++row) {
    *at++ = kBegin;
    for (Index i = 0; i < words; ++i) {
      *at++ = static_cast<std::int32_t>(uniform_index({.seed = 5}, row * words + i, kWords));
    }
    *at++ = kEnd;
    at = std::fill_n(at, 3, kPad);
  }
  return rows;
}

/// Counts of the changes at the positions of many rows.
struct Counts {
  double words = 0, chosen = 0, masked = 0, stayed = 0, replaced = 0;
  std::vector<double> drawn = std::vector<double>(kWords);  // words that were inserted

  Counts(const IndexTensor& tokens, const Masking& masking, std::uint32_t keys) {
    for (std::uint32_t step = 0; step < keys; ++step) {
      const auto [inputs, targets] = mask_words(tokens, masking, {.seed = 3, .step = step});
      for (Index i = 0; i < tokens.size(); ++i) {
        const std::int32_t was = tokens.data()[i], is = inputs.data()[i];
        words += was < kWords;
        if (targets.data()[i] == kIgnoreIndex) {
          REQUIRE(is == was);
          continue;
        }
        REQUIRE(was < kWords);  // special tokens are never chosen
        REQUIRE(targets.data()[i] == was);
        chosen += 1;
        masked += is == kMask;
        stayed += is == was;
        if (is != kMask && is != was) {
          REQUIRE((is >= 0 && is < kWords));  // and never inserted
          replaced += 1;
          drawn[static_cast<std::size_t>(is)] += 1;
        }
      }
    }
  }
};

/// Whether a count of n trials is within four standard deviations of the probability p.
bool is_near(double count, double n, double p) {
  return std::abs(count - n * p) <= 4 * std::sqrt(n * p * (1 - p));
}

}  // namespace

TEST_CASE("masking: 15% of the words: of these 80% masked, 10% random, 10% unchanged") {
  const Counts counts(rows_of(40, 61), usual(), 100);  // 244,000 positions; 0.85^61 is 5e-5
  CHECK(counts.words == 244000);
  CHECK(is_near(counts.chosen, counts.words, 0.15));
  CHECK(is_near(counts.masked, counts.chosen, 0.8));
  CHECK(is_near(counts.replaced, counts.chosen, 0.1 * (kWords - 1) / kWords));
  CHECK(is_near(counts.stayed, counts.chosen, 0.1 + 0.1 / kWords));
  for (const double times : counts.drawn) {
    CHECK(is_near(times, counts.replaced, 1.0 / kWords));
  }
}

TEST_CASE("masking: a word that chance spared is drawn from a row in which it spared all") {
  const IndexTensor tokens = rows_of(7, 2);
  Masking masking = usual();
  for (std::uint32_t step = 0; step < 50; ++step) {
    const auto [inputs, targets] = mask_words(tokens, masking, {.seed = 1, .step = step});
    for (Index row = 0; row < 7; ++row) {
      CHECK(std::count(targets.data() + 7 * row, targets.data() + 7 * row + 7, kIgnoreIndex) < 7);
    }
  }
  // Of n words 0.15 n + 0.85^n are chosen, all with the same probability.
  const Counts counts(tokens, masking, 2000);
  CHECK(counts.chosen / counts.words == doctest::Approx((0.3 + 0.7225) / 2).epsilon(0.02));
  masking.chosen = 0;
  const auto [inputs, targets] = mask_words(rows_of(2000, 2), masking, {.seed = 2});
  Index first = 0;
  for (Index row = 0; row < 2000; ++row) {
    const bool is_first = targets.data()[7 * row + 1] != kIgnoreIndex;
    CHECK(is_first != (targets.data()[7 * row + 2] != kIgnoreIndex));
    first += is_first;
  }
  CHECK(is_near(static_cast<double>(first), 2000, 0.5));
}

TEST_CASE("masking: a row without words stays as it is") {
  const IndexTensor tokens = rows_of(3, 0);
  const auto [inputs, targets] = mask_words(tokens, usual(), {.seed = 1});
  CHECK(std::ranges::equal(inputs, tokens));
  CHECK(std::ranges::count(targets, kIgnoreIndex) == tokens.size());
}

TEST_CASE("masking: the key alone decides") {
  const IndexTensor tokens = rows_of(5, 11);
  const MaskedWords a = mask_words(tokens, usual(), {.seed = 1, .step = 2, .place = 3});
  const MaskedWords same = mask_words(tokens, usual(), {.seed = 1, .step = 2, .place = 3});
  CHECK(std::ranges::equal(a.inputs, same.inputs));
  CHECK(std::ranges::equal(a.targets, same.targets));
  for (const RandomKey& other : {RandomKey{2, 2, 3}, RandomKey{1, 3, 3}, RandomKey{1, 2, 4}}) {
    CHECK_FALSE(std::ranges::equal(a.targets, mask_words(tokens, usual(), other).targets));
  }
}

TEST_CASE("masking: invalid shares and words are errors") {
  const IndexTensor tokens = rows_of(1, 3);
  const auto refuses = [&](auto change, const char* message) {
    Masking masking = usual();
    change(masking);
    CHECK_THROWS_WITH_AS(mask_words(tokens, masking, {}), doctest::Contains(message),
                         std::invalid_argument);
  };
  refuses([](Masking& m) { m.chosen = -0.1; }, "masked + random must be in [0, 1]");
  refuses([](Masking& m) { m.masked = 0.95; }, "masked 0.95 and random 0.1");
  refuses([](Masking& m) { m.random = std::nan(""); }, "masked + random must be in [0, 1]");
  refuses([](Masking& m) { m.words.clear(); }, "needs at least one word");
  refuses([](Masking& m) { m.words = {1, 1}; }, "must be ascending");
  refuses([](Masking& m) { m.words = {-1, 1}; }, "not negative");
  CHECK_THROWS_WITH_AS(mask_words(IndexTensor(Shape{3}), usual(), {}),
                       doctest::Contains("needs tokens [B, T], got [3]"), std::invalid_argument);
}
