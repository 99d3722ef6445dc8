#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "nn/text/byte_level.h"
#include "nn/text/learn_byte_pairs.h"
#include "nn/text/pair_counts.h"
#include "nn/text/pretokenize.h"

using namespace gradus;
using Tokens = std::vector<std::int32_t>;
using Merges = std::vector<std::pair<std::int32_t, std::int32_t>>;

namespace {

std::vector<std::string> pieces_of(std::string_view text) {
  std::vector<std::string> pieces;
  for_each_pretoken(text, [&](std::string_view piece) { pieces.emplace_back(piece); });
  return pieces;
}

std::string random_bytes(std::mt19937& random, std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(random());
  return bytes;
}

std::int32_t byte_token(char byte) {
  return BytePairTokenizer(BytePairs::bytes_alone()).encode(std::string(1, byte))[0];
}

/// Bytes, and tokens from 256 on for these merges.
BytePairs with_merges(const std::vector<std::pair<std::string, std::string>>& merges) {
  BytePairs pairs = BytePairs::bytes_alone();
  const auto number = [&](const std::string& token) {
    return static_cast<std::int32_t>(std::ranges::find(pairs.tokens, token) - pairs.tokens.begin());
  };
  for (const auto& [left, right] : merges) {
    pairs.merges.emplace_back(number(left), number(right));
    pairs.tokens.push_back(left + right);
  }
  return pairs;
}

void expect_refused(const BytePairs& pairs, const char* message) {
  CHECK_THROWS_WITH_AS(BytePairTokenizer{pairs}, message, std::invalid_argument);
}

}  // namespace

TEST_CASE("byte level: GPT-2's order of bytes and its characters for them") {
  const auto& order = byte_level_order();
  CHECK(order[0] == '!');
  CHECK(order[93] == '~');
  CHECK(order[94] == 161);
  CHECK(order[187] == 255);
  CHECK(order[188] == 0);
  CHECK(order[220] == ' ');  // 220 is the token of a blank in GPT-2
  CHECK(order[198] == '\n');
  CHECK(order[255] == 173);
  CHECK(to_byte_level(" h\n\xC3\xA9") == "\u0120h\u010A\u00C3\u00A9");
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  CHECK(from_byte_level(to_byte_level(all)) == all);
  for (const char* text : {" ", "\n", "\u0144", "\u00AD", "\u4e00", "\xFF", "a\xC4"}) {
    CHECK(!from_byte_level(text));
  }
}

TEST_CASE("pretokenize: cuts where GPT-2's pattern cuts") {
  CHECK(pieces_of("I'm 24  now") == std::vector<std::string>{"I", "'m", " 24", " ", " now"});
  CHECK(pieces_of("").empty());
  // U+180E is not white space in Unicode, although PCRE2's \s matches it.
  CHECK(pieces_of("a\u180E\u180Eb") == std::vector<std::string>{"a", "\u180E\u180E", "b"});
  CHECK(pieces_of("a\xFF\xFE b") == std::vector<std::string>{"a", "\xFF\xFE", " b"});
}

TEST_CASE("byte pairs: any bytes come back, and pieces join to the text") {
  std::mt19937 random(11);
  const BytePairTokenizer tokenizer(learn_byte_pairs(random_bytes(random, 20000), 600));
  CHECK(tokenizer.vocab_size() == 600);
  for (int round = 0; round < 200; ++round) {
    const std::string bytes = random_bytes(random, random() % 200);
    std::string joined;
    for (const std::string& piece : pieces_of(bytes)) joined += piece;
    CHECK(joined == bytes);
    const Tokens tokens = tokenizer.encode(bytes);
    CHECK(tokenizer.decode(tokens) == bytes);
    std::string pieces;
    for (const std::int32_t token : tokens) pieces += tokenizer.piece(token);
    CHECK(pieces == bytes);
  }
}

TEST_CASE("byte pairs: learning merges the most frequent pair, of equals the smallest numbers") {
  const std::int32_t a = byte_token('a'), b = byte_token('b'), c = byte_token('c');
  REQUIRE((a < b && b < c));
  // Without blanks each line is a piece: ab twice, bc twice, cb three times.
  const BytePairs learned = learn_byte_pairs("cb\ncb\ncb\nbc\nbc\nab\nab\n", 1000);
  REQUIRE(learned.merges.size() == 3);
  CHECK(learned.merges == Merges{{c, b}, {a, b}, {b, c}});
  CHECK(learned.tokens[256] == "cb");
  // With the same left token, the smaller right token comes first.
  CHECK(learn_byte_pairs("ac\nac\nab\nab", 1000).merges == Merges{{a, b}, {a, c}});
  // New tokens have larger numbers than bytes.
  CHECK(learn_byte_pairs("abc\nabc", 1000).merges == Merges{{a, b}, {256, c}});
}

TEST_CASE("byte pairs: learning ends when no pair occurs twice") {
  CHECK(learn_byte_pairs("abcdef", 1000).merges.empty());
  CHECK(learn_byte_pairs("", 1000).tokens.size() == 257);
  CHECK(learn_byte_pairs("ababab", 1000).tokens.size() == 259);  // ab, then abab out of ab ab ab
  int calls = 0, last = 0;
  learn_byte_pairs("aaaa aaaa aaaa", 259, {kEndOfText}, [&](int done, int of) {
    ++calls;
    last = done;
    CHECK(of == 259);
  });
  CHECK(calls == 2);
  CHECK(last == 258);
}

TEST_CASE("byte pairs: a long run teaches no token that its file cannot hold") {
  const std::string text = "ab ab" + std::string(5000, ' ') + "cd cd";
  const BytePairs learned = learn_byte_pairs(text, 400);
  const auto longest = std::ranges::max(learned.tokens, {}, &std::string::size);
  CHECK(longest == std::string(kLongestToken, ' '));
  CHECK(std::ranges::count(learned.tokens, " cd") == 1);  // and learning continued
  const BytePairTokenizer tokenizer(learned);
  CHECK(tokenizer.decode(tokenizer.encode(text)) == text);
}

TEST_CASE("byte pairs: vocab_size has room for the bytes and special tokens") {
  CHECK(learn_byte_pairs("aaaa", 257).merges.empty());
  CHECK_THROWS_WITH_AS(learn_byte_pairs("aaaa", 256),
                       "vocab_size must be at least 257 for bpe (256 bytes and 1 special token), "
                       "got 256",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(learn_byte_pairs("aaaa", -5, {}),
                       doctest::Contains("at least 256 for bpe (256 bytes and 0 special"),
                       std::invalid_argument);
}

TEST_CASE("pair counts: kept true through merges, in runs too") {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<CountedWord> words;
    for (std::size_t i = 0; i < 1 + random() % 5; ++i) {
      CountedWord& word =
          words.emplace_back(CountedWord{{}, static_cast<std::int64_t>(1 + random() % 3)});
      for (std::size_t j = random() % 20; j > 0; --j) {
        word.symbols.push_back(static_cast<std::int32_t>(random() % 3));
      }
    }
    PairCounts pairs(words);
    for (std::int32_t next = 3; next < 20; ++next) {
      // Counts again: the most frequent pair, or the smallest of equally frequent ones.
      PairCounts::Pair best{0, 0, 0};
      for (std::int32_t left = 0; left < next; ++left) {
        for (std::int32_t right = 0; right < next; ++right) {
          std::int64_t count = 0;
          for (const CountedWord& word : words) {
            for (std::size_t i = 1; i < word.symbols.size(); ++i) {
              const bool here = word.symbols[i - 1] == left && word.symbols[i] == right;
              count += here ? word.count : 0;
            }
          }
          if (count > best.count) best = {left, right, count};
        }
      }
      const PairCounts::Pair found = pairs.most_frequent();
      REQUIRE(found.count == best.count);
      if (best.count == 0) break;
      REQUIRE(found.left == best.left);
      REQUIRE(found.right == best.right);
      pairs.merge(best.left, best.right, next);
      for (CountedWord& word : words) {
        std::vector<std::int32_t> merged;
        for (std::size_t i = 0; i < word.symbols.size(); ++i) {
          const bool here = i + 1 < word.symbols.size() && word.symbols[i] == best.left &&
                            word.symbols[i + 1] == best.right;
          merged.push_back(here ? next : word.symbols[i]);
          i += here;
        }
        word.symbols = merged;
      }
    }
  }
}

TEST_CASE("byte pairs: encoding applies the earliest merge first, leftmost first") {
  const BytePairTokenizer tokenizer(with_merges({{"b", "c"}, {"a", "b"}, {"a", "a"}}));
  const std::int32_t a = byte_token('a'), c = byte_token('c');
  CHECK(tokenizer.encode("abc") == Tokens{a, 256});
  CHECK(tokenizer.encode("abab") == Tokens{257, 257});
  CHECK(tokenizer.encode("aaa") == Tokens{258, a});
  CHECK(tokenizer.encode("aac") == Tokens{258, c});
  CHECK(tokenizer.result(1) == 257);
}

TEST_CASE("byte pairs: special tokens come from plain text only when allowed") {
  BytePairs pairs = with_merges({{"<", "|"}});
  for (const char* special : {"<|end|>", "<|end|>s", "\u4e16"}) {
    pairs.specials.push_back(static_cast<std::int32_t>(pairs.tokens.size()));
    pairs.tokens.push_back(special);
  }
  const BytePairTokenizer tokenizer(pairs);
  const std::string text = "a<|end|>b<|end|>s\u4e16\u4e17<|end";
  for (const std::int32_t token : tokenizer.encode(text)) CHECK(token <= 256);
  CHECK(tokenizer.decode(tokenizer.encode(text)) == text);
  const Tokens tokens = tokenizer.encode_with_specials(text);
  CHECK(tokenizer.decode(tokens) == text);
  const auto a = byte_token('a'), b = byte_token('b');
  CHECK(Tokens(tokens.begin(), tokens.begin() + 5) == Tokens{a, 257, b, 258, 259});
  for (std::size_t i = 5; i < tokens.size(); ++i) CHECK(tokens[i] <= 256);
  CHECK(tokenizer.encode_with_specials("<|end|>") == Tokens{257});
  CHECK(tokenizer.encode_with_specials("").empty());
  CHECK(tokenizer.piece(259) == "\u4e16");
}

TEST_CASE("byte pairs: two million equal letters take no quadratic time") {
  const std::string letters(1 << 18, 'a');
  const BytePairs learned = learn_byte_pairs(letters + " " + letters, 270);
  CHECK(std::ranges::max(learned.tokens, {}, &std::string::size).size() == kLongestToken);
  std::vector<std::pair<std::string, std::string>> doubling;
  for (std::string piece = "a"; doubling.size() < 13; piece += piece) {
    doubling.emplace_back(piece, piece);
  }
  const BytePairTokenizer tokenizer(with_merges(doubling));
  // Two million letters: n log n takes seconds, n^2 longer than any test may take.
  const std::string more(1 << 21, 'a');
  CHECK(tokenizer.decode(tokenizer.encode(more)) == more);
  CHECK(tokenizer.encode(letters).size() == 32);  // each of 13 merges doubles the length
}

TEST_CASE("byte pairs: parts that do not fit together are refused") {
  BytePairs pairs = BytePairs::bytes_alone();
  pairs.tokens.erase(pairs.tokens.begin());
  expect_refused(pairs, "bpe: needs a token for the byte 33, which files write as '!'");
  pairs = BytePairs::bytes_alone();
  pairs.tokens.push_back("a");
  expect_refused(pairs, "bpe: the token 'a' occurs twice");
  pairs = BytePairs::bytes_alone();
  pairs.tokens.push_back("");
  expect_refused(pairs, "bpe: token 256 is empty");
  pairs = BytePairs::bytes_alone();
  pairs.merges = {{0, 1}};
  expect_refused(pairs, "bpe: the result of merge 0, '! \"', must be a token");
  pairs.merges = {{0, 256}};
  expect_refused(pairs, "bpe: merge 0 must be of tokens below 256, got 256");
  pairs.merges = {{-1, 0}};
  expect_refused(pairs, "bpe: merge 0 must be of tokens below 256, got -1");
  pairs = with_merges({{"a", "b"}, {"a", "b"}});
  pairs.tokens.pop_back();
  expect_refused(pairs, "bpe: the merge 'a b' occurs twice");
  pairs = with_merges({{"a", "b"}});
  pairs.specials = {byte_token('a')};
  expect_refused(pairs, "bpe: needs a token for the byte 97, which files write as 'a'");
  pairs.specials = {256};
  expect_refused(pairs, "bpe: the result of merge 0, 'a b', must be a token");
  pairs.specials = {257};
  CHECK_THROWS_WITH_AS(BytePairTokenizer{pairs}, doctest::Contains("token 257 is outside"),
                       std::invalid_argument);
  pairs = BytePairs::bytes_alone();
  pairs.tokens.push_back("\xFF");
  pairs.specials = {256};
  CHECK_THROWS_WITH_AS(BytePairTokenizer{pairs}, doctest::Contains("invalid UTF-8"),
                       std::invalid_argument);
  pairs.tokens.back() = "a";
  expect_refused(pairs, "bpe: the token 'a' occurs twice");
}
