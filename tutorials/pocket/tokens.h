//! [17 merge]
// Byte-pair encoding: frequent neighbours become one token (Sennrich and others, 2016).
#pragma once

#include <map>

#include "text.h"

namespace pocket {

using Pair = std::pair<std::int32_t, std::int32_t>;  // two neighbours

/// Replaces the pair by `merged` wherever it occurs, from left to right.
inline Tokens merge(const Tokens& tokens, const Pair& pair, std::int32_t merged) {
  Tokens result;
  //! [17.1]
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool here = i + 1 < tokens.size() && Pair(tokens[i], tokens[i + 1]) == pair;
    result.push_back(here ? merged : tokens[i]);
    if (here) ++i;
  }
  //! [17.1]
  return result;
}
//! [17 merge]

//! [17 words]
/// The bytes of a text, 0 to 255, cut before each space and newline. No merge goes across a cut.
inline std::vector<Tokens> words_of(const std::string& text) {
  std::vector<Tokens> words;
  for (const unsigned char byte : text) {
    if (words.empty() || byte == ' ' || byte == '\n') words.emplace_back();
    words.back().push_back(byte);
  }
  return words;
}
//! [17 words]

//! [17 frequent]
using CountedWords = std::vector<std::pair<Tokens, Index>>;  // and how often each occurs

/// The most frequent pair (the smallest of several) and its count: 0 if there is no pair.
inline std::pair<Pair, Index> most_frequent_pair(const CountedWords& words) {
  std::pair<Pair, Index> best;
  //! [17.2]
  std::map<Pair, Index> pairs;
  for (const auto& [word, count] : words) {
    for (std::size_t i = 1; i < word.size(); ++i) pairs[{word[i - 1], word[i]}] += count;
  }
  for (const auto& each : pairs) {
    if (each.second > best.second) best = each;
  }
  //! [17.2]
  return best;
}
//! [17 frequent]

//! [17 BytePairTokenizer]
/// Tokens 0 to 255 are the bytes; each later one is a pair of tokens before it.
struct BytePairTokenizer {
  BytePairTokenizer() {
    for (int byte = 0; byte < 256; ++byte) pieces.emplace_back(1, static_cast<char>(byte));
  }
  /// Makes the most frequent pair a token, until there are vocab_size of them.
  static BytePairTokenizer learn(const std::string& text, Index vocab_size) {
    BytePairTokenizer tokenizer;
    std::map<Tokens, Index> counts;
    for (const Tokens& word : words_of(text)) ++counts[word];
    CountedWords words(counts.begin(), counts.end());
    while (tokenizer.vocab_size() < vocab_size) {
      const auto [pair, count] = most_frequent_pair(words);
      if (count < 2) break;
      for (auto& each : words) each.first = merge(each.first, pair, int(tokenizer.vocab_size()));
      tokenizer.merges[pair] = int(tokenizer.vocab_size());
      tokenizer.pieces.push_back(tokenizer.pieces[pair.first] + tokenizer.pieces[pair.second]);
    }
    return tokenizer;
  }
  Tokens encode(const std::string& text) const {
    Tokens tokens;
    for (const Tokens& word : words_of(text)) {
      for (const std::int32_t token : encode_word(word)) tokens.push_back(token);
    }
    return tokens;
  }
  /// Merges the pair that was learned first, and goes on until no pair is left.
  Tokens encode_word(const Tokens& tokens) const {
    //! [17.3]
    auto first = merges.end();
    for (std::size_t i = 1; i < tokens.size(); ++i) {
      const auto found = merges.find({tokens[i - 1], tokens[i]});
      if (found == merges.end()) continue;
      if (first == merges.end() || found->second < first->second) first = found;
    }
    if (first == merges.end()) return tokens;
    return encode_word(merge(tokens, first->first, first->second));
    //! [17.3]
  }
  std::string decode(const Tokens& tokens) const {
    std::string text;
    for (const std::int32_t token : tokens) text += pieces.at(token);
    return text;
  }
  Index vocab_size() const { return std::ssize(pieces); }
  std::vector<std::string> pieces;      // the bytes of each token
  std::map<Pair, std::int32_t> merges;  // the token of each pair
};

}  // namespace pocket
//! [17 BytePairTokenizer]
