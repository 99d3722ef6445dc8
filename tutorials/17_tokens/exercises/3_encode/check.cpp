#include "tutorials/common/check.h"

#include "pocket/tokens.h"

namespace {

using gradus::green, gradus::red;
using pocket::BytePairTokenizer, pocket::Pair, pocket::Tokens;

/// A tokenizer of these merges, the first of which makes token 256.
BytePairTokenizer with(const std::vector<Pair>& merges) {
  BytePairTokenizer tokenizer;
  for (const Pair& pair : merges) {
    tokenizer.merges[pair] = static_cast<std::int32_t>(tokenizer.pieces.size());
    tokenizer.pieces.push_back(tokenizer.pieces.at(pair.first) + tokenizer.pieces.at(pair.second));
  }
  return tokenizer;
}

Tokens bytes_of(const std::string& text) {
  Tokens tokens;
  for (const unsigned char byte : text) tokens.push_back(byte);
  return tokens;
}

std::string shown(const BytePairTokenizer& tokenizer, const Tokens& tokens) {
  std::string text;
  for (std::size_t i = 0; i < tokens.size() && i < 20; ++i) {
    const std::int32_t token = tokens[i];
    const bool known = token >= 0 && token < std::ssize(tokenizer.pieces);
    text += (i == 0 ? "" : "|") + (known ? tokenizer.pieces[token] : std::to_string(token));
  }
  return text.empty() ? "nothing" : text;
}

/// By definition: each merge in turn, on the whole word.
Tokens one_by_one(const BytePairTokenizer& tokenizer, Tokens tokens) {
  for (int token = 256; token < std::ssize(tokenizer.pieces); ++token) {
    for (const auto& [pair, merged] : tokenizer.merges) {
      if (merged != token) continue;
      Tokens next;
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        const bool here = i + 1 < tokens.size() && Pair(tokens[i], tokens[i + 1]) == pair;
        next.push_back(here ? merged : tokens[i]);
        if (here) ++i;
      }
      tokens = next;
    }
  }
  return tokens;
}

void ask(const std::string& what, const BytePairTokenizer& tokenizer, const std::string& word) {
  const Tokens bytes = bytes_of(word), expected = one_by_one(tokenizer, bytes);
  const Tokens got = tokenizer.encode_word(bytes);
  if (got == expected) return green(what);
  red(what, ": got ", shown(tokenizer, got), ", expected ", shown(tokenizer, expected));
}

}  // namespace

CHECK_ANSWER() {
  ask("no merges: the bytes", with({}), "low");
  ask("an empty word", with({{'l', 'o'}}), "");
  ask("one merge", with({{'l', 'o'}}), "low");
  ask("a pair at the end", with({{'o', 'w'}}), "low");
  ask("merges of merges", with({{'l', 'o'}, {256, 'w'}, {'e', 'r'}, {257, 258}}), "lower");
  ask("first learned, not first in the word", with({{'b', 'c'}, {'a', 'b'}}), "abc");
  ask("first learned, not smallest", with({{'y', 'z'}, {'x', 'y'}, {'a', 'x'}}), "axyz");
  ask("first learned, not longest", with({{'b', 'c'}, {'a', 'b'}, {257, 'c'}}), "abc");
  ask("one pair in several places", with({{'a', 'n'}, {256, 256}}), "banana");
  ask("the same letter again and again", with({{'o', 'o'}, {256, 256}}), "ooooooo");
  ask("bytes above 127", with({{0xc3, 0xa9}}), "caf\xc3\xa9");
  std::vector<Pair> chain{{'a', 'a'}};
  for (int i = 256; i < 262; ++i) chain.push_back({i, i});
  ask("five thousand bytes", with(chain), std::string(5000, 'a'));
  std::vector<Pair> many;
  unsigned state = 1;
  const auto draw = [&](int below) {
    return static_cast<std::int32_t>((state = state * 1664525u + 1013904223u) >> 16) % below;
  };
  for (int i = 0; i < 40; ++i) {
    const auto any = [&] { return i > 0 && draw(2) ? 256 + draw(i) : 'a' + draw(4); };
    const Pair pair{any(), any()};
    if (std::find(many.begin(), many.end(), pair) == many.end())
      many.push_back(pair);
    else
      --i;
  }
  const BytePairTokenizer random = with(many);
  for (int i = 0; i < 200; ++i) {
    std::string word;
    for (int k = draw(30); k >= 0; --k) word += static_cast<char>('a' + draw(4));
    ask("random merges, " + word, random, word);
  }
  const std::string text = "low lower lowest\nslow, slower\n\xff\x01";
  const BytePairTokenizer learned = BytePairTokenizer::learn(text, 262);
  if (learned.decode(learned.encode(text)) != text) red("decode(encode(text)) is another text");
  green("a learned tokenizer: decode(encode(text)) is the text");
}
