//! [17 tokens]
/// @file
/// Byte-pair encoding: frequent neighbours become one token (Sennrich and others, 2016).
#pragma once

#include <map>

#include "text.h"

namespace pocket {

using Pair = std::pair<std::int32_t, std::int32_t>;

/// The tokens with `merged` wherever the pair occurs, from the left.
inline Tokens merge(const Tokens& tokens, const Pair& pair, std::int32_t merged) {
  Tokens result;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool here = i + 1 < tokens.size() && Pair(tokens[i], tokens[i + 1]) == pair;
    result.push_back(here ? merged : tokens[i]);
    if (here) ++i;
  }
  return result;
}

/// A text cut before each space and newline. No token goes across a cut.
inline std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (const char c : text) {
    if (words.empty() || c == ' ' || c == '\n') words.emplace_back();
    words.back() += c;
  }
  return words;
}

/// Tokens 0 to 255 are the bytes; each later one is a pair of tokens before it.
struct BytePairTokenizer {
  /// Makes the most frequent pair of neighbours a token, until there are vocab_size of them.
  static BytePairTokenizer learn(const std::string& text, Index vocab_size) {
    BytePairTokenizer tokenizer;
    std::map<std::string, Index> counts;
    for (const std::string& word : words_of(text)) ++counts[word];
    std::vector<std::pair<Tokens, Index>> words;
    for (const auto& [word, count] : counts) words.emplace_back(tokenizer.encode_word(word), count);
    while (tokenizer.vocab_size() < vocab_size) {
      std::map<Pair, Index> pairs;
      for (const auto& [word, count] : words) {
        for (std::size_t i = 1; i < word.size(); ++i) pairs[{word[i - 1], word[i]}] += count;
      }
      const auto best = std::max_element(pairs.begin(), pairs.end(),
                                         [](auto& a, auto& b) { return a.second < b.second; });
      if (best == pairs.end() || best->second < 2) break;
      const auto [pair, merged] = *tokenizer.add(best->first);
      for (auto& [word, count] : words) word = merge(word, pair, merged);
    }
    return tokenizer;
  }
  Tokens encode(const std::string& text) const {
    Tokens tokens;
    for (const std::string& word : words_of(text)) {
      const Tokens more = encode_word(word);
      tokens.insert(tokens.end(), more.begin(), more.end());
    }
    return tokens;
  }
  std::string decode(const Tokens& tokens) const {
    std::string text;
    for (const std::int32_t token : tokens) text += piece(token);
    return text;
  }
  std::string piece(std::int32_t token) const {
    if (token < 256) return {static_cast<char>(token)};
    const auto [left, right] = pairs.at(static_cast<std::size_t>(token) - 256);
    return piece(left) + piece(right);
  }
  Index vocab_size() const { return 256 + std::ssize(pairs); }

  /// Merges in the order in which the pairs were learnt.
  Tokens encode_word(const std::string& word) const {
    Tokens tokens;
    for (const char c : word) tokens.push_back(static_cast<unsigned char>(c));
    while (true) {
      auto first = merges.end();
      for (std::size_t i = 1; i < tokens.size(); ++i) {
        const auto found = merges.find({tokens[i - 1], tokens[i]});
        if (found == merges.end()) continue;
        if (first == merges.end() || found->second < first->second) first = found;
      }
      if (first == merges.end()) return tokens;
      tokens = merge(tokens, first->first, first->second);
    }
  }
  std::map<Pair, std::int32_t>::const_iterator add(const Pair& pair) {
    pairs.push_back(pair);
    return merges.emplace(pair, static_cast<std::int32_t>(vocab_size() - 1)).first;
  }
  std::vector<Pair> pairs;              // of token 256, 257 ...
  std::map<Pair, std::int32_t> merges;  // the token of each pair
};

}  // namespace pocket
//! [17 tokens]
