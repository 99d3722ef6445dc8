#include "nn/data/masking.h"

#include <algorithm>

#include "autograd/check.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/random.h"

namespace gradus {
using namespace detail;
namespace {

bool is_share(double x) { return x >= 0 && x <= 1; }

}  // namespace

void Masking::validate() const {
  check(is_share(chosen) && is_share(masked) && is_share(random) && masked + random <= 1 + 1e-9,
        "masking: chosen, masked, random and masked + random must be in [0, 1], got chosen ",
        chosen, ", masked ", masked, " and random ", random);
  check(!words.empty() && words.front() >= 0 &&
            std::ranges::adjacent_find(words, std::ranges::greater_equal()) == words.end(),
        "masking: needs at least one word; words must be ascending and not negative");
}

MaskedWords mask_words(const IndexTensor& tokens, const Masking& masking, const RandomKey& key) {
  check(tokens.rank() == 2, "mask_words: needs tokens [B, T], got ", tokens.shape());
  masking.validate();
  const Index rows = tokens.size(0), length = tokens.size(1);
  MaskedWords result{IndexTensor(tokens.shape()), IndexTensor(tokens.shape())};
  std::ranges::copy(tokens, result.inputs.mutable_data());
  std::fill_n(result.targets.mutable_data(), result.targets.size(), kIgnoreIndex);
  // Position i uses words 4 i to 4 i + 3 of the random stream: whether the position is chosen, what
  // it becomes, and which random word.
  const auto choose = [&](Index i) {
    const auto first = static_cast<std::uint64_t>(4 * i);
    const auto kind = static_cast<double>(uniform_at(key, first + 1));
    result.targets.mutable_data()[i] = tokens.data()[i];
    if (kind < masking.masked) {
      result.inputs.mutable_data()[i] = masking.mask;
    } else if (kind < masking.masked + masking.random) {
      const Index word = uniform_index(key, 2 * i + 1, std::ssize(masking.words));
      result.inputs.mutable_data()[i] = masking.words[static_cast<std::size_t>(word)];
    }
  };
  for (Index row = 0; row < rows; ++row) {
    std::vector<Index> positions;  // positions of words
    bool any = false;
    for (Index i = row * length; i < (row + 1) * length; ++i) {
      if (!std::ranges::binary_search(masking.words, tokens.data()[i])) {
        continue;
      }
      positions.push_back(i);
      if (static_cast<double>(uniform_at(key, static_cast<std::uint64_t>(4 * i))) <
          masking.chosen) {
        choose(i);
        any = true;
      }
    }
    if (!any && !positions.empty()) {  // this draw comes after the draws of all positions
      const Index one = uniform_index(key, 2 * tokens.size() + row, std::ssize(positions));
      choose(positions[static_cast<std::size_t>(one)]);
    }
  }
  return result;
}

}  // namespace gradus
