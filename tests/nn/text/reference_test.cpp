// Compares the tokenizers with plain ones in Python: tests/golden/tokenizer_reference.py.
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <tuple>

#include "nn/text/byte_level.h"
#include "nn/text/learn_byte_pairs.h"
#include "nn/text/pretokenize.h"
#include "nn/text/unicode_folding.h"
#include "nn/text/word_piece_tokenizer.h"

using namespace gradus;
using Tokens = std::vector<std::int32_t>;
using CodePoints = std::vector<std::uint32_t>;
using Folding = std::tuple<std::uint32_t, CodePoints, CodePoints>;

namespace {

const nlohmann::json& reference() {
  static const auto json =
      nlohmann::json::parse(std::ifstream(GRADUS_GOLDEN_DIR "/tokenizers.json"));
  return json;
}

std::string from_hex(const std::string& digits) {
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

std::vector<std::string> reference_pieces(std::string_view text) {
  std::vector<std::string> pieces;
  for_each_pretoken(text, [&](std::string_view piece) { pieces.emplace_back(piece); });
  return pieces;
}

}  // namespace

TEST_CASE("pretokenize: the pieces of the reference") {
  REQUIRE(reference()["pieces"].size() > 20);
  for (const auto& entry : reference()["pieces"]) {
    CAPTURE(entry["text"].get<std::string>());
    std::vector<std::string> expected;
    for (const auto& piece : entry["pieces"]) expected.push_back(from_hex(piece));
    CHECK(reference_pieces(from_hex(entry["text"])) == expected);
  }
}

TEST_CASE("byte pairs: merges and tokens of the reference") {
  REQUIRE(reference()["byte_pairs"].size() == 5);
  for (const auto& entry : reference()["byte_pairs"]) {
    const BytePairs learned = learn_byte_pairs(from_hex(entry["text"]), entry["vocab_size"]);
    std::vector<std::string> merges;
    for (const auto& [left, right] : learned.merges) {
      merges.push_back(to_byte_level(learned.tokens[static_cast<std::size_t>(left)]) + " " +
                       to_byte_level(learned.tokens[static_cast<std::size_t>(right)]));
    }
    CHECK(merges == entry["merges"].get<std::vector<std::string>>());
    const BytePairTokenizer tokenizer(learned);
    for (const auto& sample : entry["samples"]) {
      CAPTURE(sample["text"].get<std::string>());
      const std::string text = from_hex(sample["text"]);
      CHECK(tokenizer.encode(text) == sample["tokens"].get<Tokens>());
      CHECK(tokenizer.decode(tokenizer.encode(text)) == text);
    }
  }
}

TEST_CASE("WordPiece: words, vocabulary and tokens of the reference") {
  for (const auto& entry : reference()["bert_words"]) {
    const std::string text = entry["text"];
    CAPTURE(text);
    CHECK(bert_words(text, {}) == entry["folded"].get<std::vector<std::string>>());
    CHECK(bert_words(text, {false, false}) == entry["plain"].get<std::vector<std::string>>());
  }
  const auto& learned = reference()["word_pieces"];
  const auto tokenizer =
      WordPieceTokenizer::learn(learned["text"].get<std::string>(), learned["vocab_size"]);
  std::vector<std::string> vocabulary;
  for (std::int32_t token = 0; token < tokenizer.vocab_size(); ++token) {
    vocabulary.push_back(tokenizer.piece(token));
  }
  CHECK(vocabulary == learned["vocabulary"].get<std::vector<std::string>>());
  for (const auto& sample : learned["samples"]) {
    const std::string text = sample["text"];
    CAPTURE(text);
    CHECK(tokenizer.encode(text) == sample["tokens"].get<Tokens>());
  }
}

TEST_CASE("Unicode: lower case and accents of the reference") {
  REQUIRE(reference()["folding"].size() > 500);
  for (const auto& [character, lower, rest] : reference()["folding"].get<std::vector<Folding>>()) {
    const auto code = character;  // clang 14 cannot capture a structured binding
    CAPTURE(code);
    const std::u32string small = lower_case(code), bare = without_accents(code);
    CHECK(CodePoints(small.begin(), small.end()) == lower);
    CHECK(CodePoints(bare.begin(), bare.end()) == rest);
  }
}
