#include <algorithm>
#include <set>

#include "autograd/ops/reduce.h"
#include "nn/layers/attention.h"
#include "nn/layers/position.h"
#include "tutorials/12_positions/exercises.h"
#include "tutorials/common/check.h"

namespace {

/// What a model with random weights makes of a text: the mean of its places, [1, 32].
Tensor reads(Position kind, bool causal, std::uint64_t seed,
             const std::vector<std::int32_t>& text) {
  KeySequence keys(seed);
  const Embedding embed(8, 32, keys);
  const PositionalEncoding positions({.kind = kind, .max_length = 6, .channels = 32}, keys);
  const MultiHeadAttention attention(32, 2, keys, {});
  const Tensor x = positions.embed(embed(IndexTensor({1, 6}, text)));
  return mean(attention(x, x, {.causal = causal}), {1});
}

void must_be_text(const std::string& name, const std::vector<std::int32_t>& text, bool one_first) {
  if (text.size() != 6) red(name + " must have 6 tokens, got " + std::to_string(text.size()));
  for (const std::int32_t token : text) {
    if (token < 0 || token > 7) red(name + ": tokens are 0 to 7, got " + std::to_string(token));
  }
  if (std::ranges::count(text, 1) != 1 || std::ranges::count(text, 2) != 1) {
    red("in " + name + " token 1 must stand once, and token 2 once");
  }
  if ((std::ranges::find(text, 1) < std::ranges::find(text, 2)) != one_first) {
    red("in " + name + (one_first ? " 1 must come before 2" : " 2 must come before 1"));
  }
}

}  // namespace

int main() {
  return run_check([] {
    const auto [first, second] = which_came_first();
    must_be_text("the first text", first, true);
    must_be_text("the second text", second, false);
    green("1 comes first in the one, 2 in the other");
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      if (is_close(reads(Position::kNone, false, seed, first),
                   reads(Position::kNone, false, seed, second), 1e-5)) {
        continue;
      }
      const bool same_words =
          std::set(first.begin(), first.end()) == std::set(second.begin(), second.end());
      red(std::string("a model without positions tells them apart: ") +
          (same_words ? "a word stands in one text more often than in the other"
                      : "the texts are not made of the same words"));
    }
    green("five models without positions give both texts the same vector");
    if (is_close(reads(Position::kSinusoidal, false, 1, first),
                 reads(Position::kSinusoidal, false, 1, second), 1e-5)) {
      red("with positions they should differ");
    }
    green("with positions the two vectors differ");
  });
}
