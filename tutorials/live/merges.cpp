// Chapter 17's byte-pair merges, on a text that the reader types.
#include "live/live.h"
#include "pocket/tokens.h"

using namespace pocket;
using live::Numbers;

namespace {

/// Learns at most `count` merges: the arguments are the count and the text's bytes. Returns the
/// number of merges, and for each its pair and the pair's count; then the pair that would be next
/// and its count, which is 0 or 1 if there is none; then the tokens, with -1 before each word.
Numbers merges(const Numbers& in) {
  std::vector<Tokens> words = words_of(live::text_of(in, 1));
  Numbers made{0};
  for (;;) {
    CountedWords counted;
    for (const Tokens& word : words) counted.emplace_back(word, 1);
    const auto [pair, count] = most_frequent_pair(counted);
    made.insert(made.end(), {double(pair.first), double(pair.second), double(count)});
    if (count < 2 || made[0] == in[0]) break;
    for (Tokens& word : words) word = merge(word, pair, 256 + int(made[0]));
    ++made[0];
  }
  for (const Tokens& word : words) {
    made.push_back(-1);
    made.insert(made.end(), word.begin(), word.end());
  }
  return made;
}

/// Encodes another text with the merges of the first: for the number of merges, the length of the
/// first text, and both texts.
Numbers encode(const Numbers& in) {
  const std::string both = live::text_of(in, 2);
  const std::string first = both.substr(0, static_cast<std::size_t>(in[1]));
  const auto tokenizer = BytePairTokenizer::learn(first, 256 + Index(in[0]));
  const Tokens tokens = tokenizer.encode(both.substr(first.size()));
  return {tokens.begin(), tokens.end()};
}

const live::Piece piece("merges", {{"merges", merges}, {"encode", encode}});

}  // namespace
