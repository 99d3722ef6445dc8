#include "tutorials/common/check.h"

#include "pocket/bert.h"

using namespace pocket;
using gradus::green, gradus::red;

namespace {

struct Right {
  Tokens inputs, targets;
};

/// The same draws as on the page, with other code.
Right right(const Tokens& tokens, const Tokens& words, std::int32_t mask, const RandomKey& key) {
  const Tensor draws = uniform({std::ssize(tokens), 3}, key);
  const auto draw = [&](std::size_t i, std::size_t k) { return draws.data()[3 * i + k]; };
  Right result{tokens, Tokens(tokens.size(), -100)};
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (std::find(words.begin(), words.end(), tokens[i]) == words.end()) continue;
    if (draw(i, 0) >= Scalar(0.15)) continue;
    result.targets[i] = tokens[i];
    const Scalar place = std::floor(draw(i, 2) * Scalar(words.size()));
    if (draw(i, 1) < Scalar(0.8)) {
      result.inputs[i] = mask;
    } else if (draw(i, 1) >= Scalar(0.9)) {
      result.inputs[i] = words[static_cast<std::size_t>(place)];
    }
  }
  return result;
}

void ask(const std::string& what, const Tokens& tokens, const Shape& shape, const Tokens& words,
         std::int32_t mask, const RandomKey& key) {
  const IndexTensor given(shape, tokens);
  const MaskedWords got = mask_words(given, words, mask, key);
  if (!std::equal(given.begin(), given.end(), tokens.begin())) red(what, ": tokens have changed");
  const Right expected = right(tokens, words, mask, key);
  if (got.inputs.shape() != shape || got.targets.shape() != shape) red(what, ": another shape");
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::int32_t input = got.inputs.data()[i], target = got.targets.data()[i];
    if (input == expected.inputs[i] && target == expected.targets[i]) continue;
    red(what, ", at position ", i, ": token ", tokens[i], ", got input ", input, " and target ",
        target, ", expected ", expected.inputs[i], " and ", expected.targets[i]);
  }
  green(what);
}

Tokens drawn(Index count, Index below, std::uint64_t seed) {
  Tokens tokens;
  for (Index i = 0; i < count; ++i) {
    tokens.push_back(std::int32_t(uniform_index({.seed = seed}, i, below)));
  }
  return tokens;
}

}  // namespace

CHECK_ANSWER() {
  Tokens words(20);
  std::iota(words.begin(), words.end(), 5);
  ask("words 5 to 24", drawn(400, 25, 1), {20, 20}, words, 3, {.seed = 2});
  ask("another key", drawn(400, 25, 1), {20, 20}, words, 3, {.seed = 2, .step = 7});
  ask("words that are no neighbours, in any order", drawn(900, 60, 2), {30, 30},
      {40, 7, 12, 55, 3, 31, 22, 18, 0, 41, 59}, 58, {.seed = 3});
  ask("[MASK] before all words, at 0", drawn(600, 9, 3), {100, 6}, {8, 1, 3, 5}, 0, {.seed = 4});
  ask("one word alone", Tokens(500, 2), {5, 100}, {2}, 7, {.seed = 5});
  ask("no words", drawn(60, 9, 4), {6, 10}, {}, 7, {.seed = 6});
  words.resize(3000);
  std::iota(words.begin(), words.end(), 100000);
  Tokens large = drawn(3000, 3000, 5);
  for (std::int32_t& token : large) token += 100000;
  ask("3000 words from 100000 on", large, {1, 3000}, words, 99999, {.seed = 7});
}
