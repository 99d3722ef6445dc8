#include "nn/text/learn_byte_pairs.h"

#include <algorithm>
#include <unordered_map>

#include "autograd/check.h"
#include "nn/text/byte_level.h"
#include "nn/text/pair_counts.h"
#include "nn/text/pretokenize.h"

namespace gradus {
using namespace detail;
namespace {

/// The distinct pieces of a text, as byte tokens, in order of first appearance.
std::vector<CountedWord> counted_pieces(std::string_view text) {
  std::array<std::int32_t, 256> token_of{};
  for (std::int32_t token = 0; token < 256; ++token) {
    token_of[byte_level_order()[static_cast<std::size_t>(token)]] = token;
  }
  std::unordered_map<std::string_view, std::size_t> index_of;
  std::vector<CountedWord> words;
  for_each_pretoken(text, [&](std::string_view piece) {
    const auto [found, is_new] = index_of.try_emplace(piece, words.size());
    if (is_new) {
      words.push_back({std::vector<std::int32_t>(piece.size()), 0});
      std::ranges::transform(piece, words.back().symbols.begin(),
                             [&](char byte) { return token_of[static_cast<unsigned char>(byte)]; });
    }
    ++words[found->second].count;
  });
  return words;
}

}  // namespace

BytePairs learn_byte_pairs(std::string_view text, int vocab_size,
                           const std::vector<std::string>& special_tokens,
                           const LearningProgress& progress) {
  BytePairs learned = BytePairs::bytes_alone();
  const std::size_t least = learned.tokens.size() + special_tokens.size();
  check(vocab_size >= 0 && static_cast<std::size_t>(vocab_size) >= least,
        "vocab_size must be at least ", least, " for bpe (256 bytes and ", special_tokens.size(),
        special_tokens.size() == 1 ? " special token" : " special tokens", "), got ", vocab_size);
  const std::size_t limit = static_cast<std::size_t>(vocab_size) - special_tokens.size();
  PairCounts pairs(counted_pieces(text));
  while (learned.tokens.size() < limit) {
    const auto [left, right, count] = pairs.most_frequent();
    if (count < 2) break;
    const std::string token = learned.tokens[static_cast<std::size_t>(left)] +
                              learned.tokens[static_cast<std::size_t>(right)];
    if (token.size() > kLongestToken) {
      pairs.drop(left, right);
      continue;
    }
    const auto next = static_cast<std::int32_t>(learned.tokens.size());
    // The bytes of the token are always new: until now, equal bytes between equal boundaries have
    // been merged in the same way.
    learned.tokens.push_back(token);
    learned.merges.emplace_back(left, right);
    pairs.merge(left, right, next);
    if (progress) progress(static_cast<int>(learned.tokens.size()), vocab_size);
  }
  for (const std::string& special : special_tokens) {
    learned.specials.push_back(static_cast<std::int32_t>(learned.tokens.size()));
    learned.tokens.push_back(special);
  }
  return learned;
}

}  // namespace gradus
