#include "nn/text/char_tokenizer.h"

#include <algorithm>

#include "autograd/check.h"
#include "nn/text/utf8.h"

namespace gradus {
using namespace detail;
namespace {

constexpr std::size_t kCodeSpace = 0x110000;  // U+0000 to U+10FFFF
constexpr std::size_t kListed = 80;           // the most characters that a message lists

std::string described(std::u32string_view vocabulary) {
  std::string list;
  for (const char32_t character : vocabulary.substr(0, kListed)) list += shown(character);
  if (vocabulary.size() > kListed) list += " ...";
  const std::size_t size = vocabulary.size();
  return std::to_string(size) + (size == 1 ? " character: " : " characters: ") + list;
}

}  // namespace

CharTokenizer CharTokenizer::learn(std::string_view text) {
  std::vector<bool> present(kCodeSpace);
  for (const char32_t character : utf8_decode(text)) present[character] = true;
  std::u32string vocabulary;
  for (char32_t character = 0; character < kCodeSpace; ++character) {
    if (present[character]) vocabulary += character;
  }
  return CharTokenizer(std::move(vocabulary));
}

CharTokenizer::CharTokenizer(std::u32string vocabulary) : vocabulary_(std::move(vocabulary)) {
  check(!vocabulary_.empty(), "char tokenizer: the vocabulary is empty (give it some text)");
  utf8_encode(vocabulary_);  // throws if a code point is not a character
  const auto clash = std::ranges::adjacent_find(vocabulary_, std::ranges::greater_equal());
  if (clash != vocabulary_.end()) {
    fail("char tokenizer: characters must ascend, each once, got ", code_point_name(clash[1]),
         " after ", code_point_name(clash[0]));
  }
}

std::vector<std::int32_t> CharTokenizer::encode(std::string_view text) const {
  const std::u32string characters = utf8_decode(text);
  std::vector<std::int32_t> tokens;
  tokens.reserve(characters.size());
  for (const char32_t character : characters) {
    const auto found = std::ranges::lower_bound(vocabulary_, character);
    if (found == vocabulary_.end() || *found != character) {
      const std::size_t before = tokens.size();
      throw TextError(
          utf8_encode(characters.substr(0, before)).size(),
          "the vocabulary has no '" + shown(character) + "' (" + code_point_name(character) + "),",
          "character " + std::to_string(before + 1), " (it has " + described(vocabulary_) + ")");
    }
    tokens.push_back(static_cast<std::int32_t>(found - vocabulary_.begin()));
  }
  return tokens;
}

std::string CharTokenizer::decode(std::span<const std::int32_t> tokens) const {
  std::string text;
  text.reserve(tokens.size());
  for (const std::int32_t token : tokens) {
    check_token(token);
    append_utf8(text, vocabulary_[static_cast<std::size_t>(token)]);
  }
  return text;
}

std::string CharTokenizer::piece(std::int32_t token) const { return decode({&token, 1}); }

}  // namespace gradus
