#include "tutorials/common/check.h"

#include <algorithm>

#include "tutorials/12_positions/exercises.h"

namespace {

/// The output of a model with random weights for a row: the mean over its positions, [1, 32].
gradus::Tensor reads(bool with_positions, std::uint64_t seed, const Tokens& tokens) {
  KeySequence keys(seed);
  const Embedding embed(8, 32, keys);
  const MultiHeadAttention attention(32, 2, keys, {});
  const Index length = static_cast<Index>(tokens.size());
  Tensor x = embed(IndexTensor({1, length}, tokens));
  if (with_positions) x = x + sinusoidal_table(length, 32);
  return gradus::as_library(mean(attention(x, x), 1));
}

void must_be_row(const std::string& name, const Tokens& row, std::size_t size, bool one_first) {
  if (row.size() != size) gradus::red(name, " must have ", size, " tokens, got ", row.size());
  for (const std::int32_t token : row) {
    if (token < 0 || token > 7) gradus::red(name, ": tokens are 0 to 7, got ", token);
  }
  const auto one = std::ranges::find(row, 1), two = std::ranges::find(row, 2);
  if (one == row.end() || two == row.end()) gradus::red(name, " must contain the tokens 1 and 2");
  if ((one < two) != one_first) {
    gradus::red("in ", name, (one_first ? " 1 must come before 2" : " 2 must come before 1"));
  }
}

}  // namespace

CHECK_ANSWER() {
  const auto [first, second] = which_came_first();
  must_be_row("the first row", first, 3, true);
  must_be_row("the second row", second, 6, false);
  gradus::green("1 comes first in one row, 2 in the other");
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    if (!gradus::is_close(reads(false, seed, first), reads(false, seed, second), 1e-5)) {
      gradus::red(
          "a model without positions distinguishes them: some token has a larger share of one row");
    }
  }
  gradus::green("five models without positions give both rows the same vector");
  if (gradus::is_close(reads(true, 1, first), reads(true, 1, second), 1e-5)) {
    gradus::red("with positions they should differ");
  }
  gradus::green("with positions the two vectors differ");
}
