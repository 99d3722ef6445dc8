#include "nn/data/batches.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <vector>

using namespace gradus;
using Tokens = std::vector<std::int32_t>;

namespace {

Tokens counting(std::size_t size) {
  Tokens tokens(size);
  std::iota(tokens.begin(), tokens.end(), 0);
  return tokens;
}

}  // namespace

TEST_CASE("random batch: rows are runs of the text, targets the tokens after them") {
  const Tokens tokens = counting(101);
  Batch batch;
  random_batch(tokens, 5, 7, RandomKey{.seed = 1, .step = 2, .place = 3}, batch);
  CHECK(batch.batch_size == 5);
  CHECK(batch.block_size == 7);
  REQUIRE(batch.inputs.size() == 35);
  REQUIRE(batch.targets.size() == 35);
  for (std::size_t i = 0; i < 35; ++i) {
    CHECK(batch.inputs[i] == batch.inputs[i / 7 * 7] + static_cast<std::int32_t>(i % 7));
    CHECK(batch.targets[i] == batch.inputs[i] + 1);
  }
}

TEST_CASE("random batch: the key and the row alone decide") {
  const Tokens tokens = counting(100003);
  const auto inputs = [&](RandomKey key, int batch_size) {
    Batch batch;
    random_batch(tokens, batch_size, 1, key, batch);
    return batch.inputs;
  };
  const RandomKey key{.seed = 1, .step = 2, .place = 3};
  const Tokens rows = inputs(key, 11);
  CHECK(inputs(key, 11) == rows);
  CHECK(inputs(key, 5) == Tokens(rows.begin(), rows.begin() + 5));
  CHECK(inputs({.seed = 2, .step = 2, .place = 3}, 11) != rows);
  CHECK(inputs({.seed = 1, .step = 3, .place = 3}, 11) != rows);
  CHECK(inputs({.seed = 1, .step = 2, .place = 4}, 11) != rows);
}

TEST_CASE("random batch: every start is drawn, about equally often, and no other") {
  const Tokens tokens = counting(23);  // 20 starts for blocks of 3
  std::vector<int> drawn(20);
  Batch batch;
  for (std::uint32_t step = 0; step < 1000; ++step) {
    random_batch(tokens, 20, 3, RandomKey{.seed = 5, .step = step, .place = 0}, batch);
    for (std::size_t row = 0; row < 20; ++row)
      ++drawn.at(static_cast<std::size_t>(batch.inputs[3 * row]));
  }
  // The expected count is 1000, with standard deviation 31; five deviations are allowed.
  for (const int count : drawn) CHECK(std::abs(count - 1000) < 155);

  random_batch(counting(4), 9, 3, RandomKey{}, batch);  // a single start
  CHECK(Tokens(batch.inputs.begin(), batch.inputs.begin() + 3) == Tokens{0, 1, 2});
  CHECK(Tokens(batch.targets.end() - 3, batch.targets.end()) == Tokens{1, 2, 3});
}

TEST_CASE("random batch: buffers are used again") {
  const Tokens tokens = counting(50);
  Batch batch;
  random_batch(tokens, 5, 7, RandomKey{}, batch);
  const auto* inputs = batch.inputs.data();
  const auto* targets = batch.targets.data();
  random_batch(tokens, 5, 7, RandomKey{.seed = 1, .step = 1, .place = 0}, batch);
  random_batch(tokens, 2, 7, RandomKey{.seed = 1, .step = 2, .place = 0}, batch);
  random_batch(tokens, 5, 7, RandomKey{.seed = 1, .step = 3, .place = 0}, batch);
  CHECK(batch.inputs.data() == inputs);
  CHECK(batch.targets.data() == targets);
}

TEST_CASE("random batch: wrong sizes") {
  const Tokens tokens = counting(7);
  Batch batch;
  CHECK_THROWS_WITH_AS(random_batch(tokens, 0, 3, RandomKey{}, batch),
                       "random_batch: batch_size must be at least 1, got 0", std::invalid_argument);
  CHECK_THROWS_WITH_AS(random_batch(tokens, 2, -1, RandomKey{}, batch),
                       "random_batch: block_size must be at least 1, got -1",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(
      random_batch(tokens, 2, 7, RandomKey{}, batch),
      "random_batch: needs at least 8 tokens for a block of 7 and the next token, got 7",
      std::invalid_argument);
}

TEST_CASE("blocks: each token but the first is predicted exactly once") {
  for (std::size_t size = 0; size < 30; ++size) {
    for (int block_size = 1; block_size < 12; ++block_size) {
      const Tokens tokens = counting(size);
      const Blocks blocks(tokens, block_size);
      Tokens inputs, targets;
      const auto take = [&](const Blocks::Rows& rows) {
        inputs.insert(inputs.end(), rows.inputs.begin(), rows.inputs.end());
        targets.insert(targets.end(), rows.targets.begin(), rows.targets.end());
        REQUIRE(rows.inputs.size() == rows.targets.size());
      };
      for (std::size_t i = 0; i < blocks.full(); ++i) {
        REQUIRE(blocks.rows(i, 1).inputs.size() == static_cast<std::size_t>(block_size));
        take(blocks.rows(i, 1));
      }
      take(blocks.rest());
      REQUIRE(blocks.rest().inputs.size() < static_cast<std::size_t>(block_size));
      REQUIRE(blocks.predictions() == (size == 0 ? 0 : size - 1));
      REQUIRE(inputs == counting(blocks.predictions()));
      REQUIRE(targets.size() == blocks.predictions());
      for (std::size_t i = 0; i < targets.size(); ++i) REQUIRE(targets[i] == inputs[i] + 1);
    }
  }
}

TEST_CASE("blocks: several full ones in one piece, and wrong ranges") {
  const Tokens tokens = counting(12);
  const Blocks blocks(tokens, 3);  // 11 predictions: three blocks of 3, and 2
  CHECK(blocks.full() == 3);
  const auto [inputs, targets] = blocks.rows(1, 2);
  CHECK(Tokens(inputs.begin(), inputs.end()) == Tokens{3, 4, 5, 6, 7, 8});
  CHECK(Tokens(targets.begin(), targets.end()) == Tokens{4, 5, 6, 7, 8, 9});
  CHECK(blocks.rest().inputs.size() == 2);
  CHECK(blocks.rows(3, 0).inputs.empty());
  CHECK_THROWS_WITH_AS(blocks.rows(2, 2), "blocks: must be in [0, 3), got [2, 4)",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(blocks.rows(4, 0), doctest::Contains("got [4, 4)"), std::invalid_argument);
  CHECK_THROWS_WITH_AS(Blocks(tokens, 0), "blocks: block_size must be at least 1, got 0",
                       std::invalid_argument);
}
