#pragma once

#include <unordered_map>

#include "nn/text/tokenizer.h"

namespace gradus {

/// @addtogroup text
/// @{

/// Words, numbers and punctuation as tokens. Every character of a text is in exactly one piece, so
/// that the joined pieces are the text. A piece is
/// - a word: letters with their accents, and up to three apostrophes between letters: don't;
/// - a run of digits;
/// - any other single character except white space; each of these with one blank (U+0020) before it
/// if there is one: " the" is not "the";
/// - or a white-space character that belongs to none of these, such as a newline or a further
/// blank.
///
/// Token 0 is `<unk>`, token 1 a blank. The others are the pieces of the text from which the
/// tokenizer was learned, most frequent first, equally frequent ones in byte order. A piece outside
/// the vocabulary that begins with a blank is split into the blank and the rest. A rest, or a piece
/// without a blank, that is outside the vocabulary becomes `<unk>`. If the tokens have no `<unk>`,
/// `decode(encode(text)) == text`.
/// @code
/// const auto tokenizer = WordTokenizer::learn("the cat, the dog, the cow", 6);
/// tokenizer.encode("a cow, the fox");  // [0, 5, 3, 2, 1, 0]
/// @endcode
class WordTokenizer final : public Tokenizer {
 public:
  static constexpr std::int32_t kUnknown = 0;     ///< `<unk>`
  static constexpr std::int32_t kBlankToken = 1;  ///< a single blank

  /// Learns the most frequent pieces, for at most vocab_size tokens.
  /// @throws TextError where the text is not UTF-8; std::invalid_argument if vocab_size is below 3
  static WordTokenizer learn(std::string_view text, int vocab_size);

  /// Makes a tokenizer whose token i is vocabulary[i].
  /// @throws std::invalid_argument unless the vocabulary begins with "<unk>" and " ", and each
  /// token occurs once
  explicit WordTokenizer(std::vector<std::string> vocabulary);

  std::string name() const override { return "word"; }
  int vocab_size() const override { return static_cast<int>(vocabulary_.size()); }
  std::vector<std::int32_t> encode(std::string_view text) const override;
  std::vector<std::string> unknown_words(std::string_view text) const override;
  std::string decode(std::span<const std::int32_t> tokens) const override;
  std::string piece(std::int32_t token) const override;
  bool is_special(std::int32_t token) const override { return token == kUnknown; }

 private:
  std::int32_t number_of(std::string_view piece) const;

  std::vector<std::string> vocabulary_;
  std::unordered_map<std::string, std::int32_t> numbers_;
};

/// @}

}  // namespace gradus
