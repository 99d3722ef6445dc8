//! [17 tokens]
// Byte-pair encoding: frequent neighbours become one token (Sennrich and others, 2016).
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
  BytePairTokenizer() {
    for (int byte = 0; byte < 256; ++byte) pieces.emplace_back(1, static_cast<char>(byte));
  }
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
      const auto rarer = [](const auto& a, const auto& b) { return a.second < b.second; };
      const auto best = std::max_element(pairs.begin(), pairs.end(), rarer);
      if (best == pairs.end() || best->second < 2) break;
      const auto [left, right] = best->first;
      const auto merged = static_cast<std::int32_t>(tokenizer.vocab_size());
      tokenizer.merges[best->first] = merged;
      tokenizer.pieces.push_back(tokenizer.pieces[left] + tokenizer.pieces[right]);
      for (auto& [word, count] : words) word = merge(word, best->first, merged);
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
//! [17 tokens]
