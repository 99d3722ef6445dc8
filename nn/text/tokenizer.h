/// @file
/// The interface between text and token numbers. tokenizer_files.h has the files that hold
/// tokenizers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// @addtogroup text
/// @{

/// Tokens that tasks put around texts, and masks.
struct FrameTokens {
  std::int32_t pad;    ///< pads rows to the longest
  std::int32_t begin;  ///< before a text: [CLS] of BERT
  std::int32_t end;    ///< after a text: [SEP] of BERT
  std::int32_t mask;   ///< [MASK] of BERT
};

/// Converts text to token numbers, 0 to vocab_size() - 1, and back. Immutable once made, so that
/// threads may share one. To add a kind, add a class and a few lines in tokenizer_files.cpp; one
/// that learns from text also needs some in learn_tokenizer() (corpus.h).
/// @code
/// Text text;
/// text.append("notes", "the cat and the dog");
/// const std::unique_ptr<Tokenizer> words = learn_tokenizer("word", text);
/// words->encode("the dog");                 // [6, 4]
/// words->decode(words->encode("the dog"));  // "the dog"
/// words->unknown_words("a dog");            // ["a"]
/// @endcode
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// The kind, as `--tokenizer` names it: "char", "byte", "bpe", "word", "wordpiece".
  virtual std::string name() const = 0;

  /// The number of different tokens.
  virtual int vocab_size() const = 0;

  /// The tokens of a text.
  /// @throws TextError (utf8.h) naming the first thing that the vocabulary cannot express, and its
  /// position
  virtual std::vector<std::int32_t> encode(std::string_view text) const = 0;

  /// The words of a text that encode() reads as unknown, in order, with repetitions; none for a
  /// tokenizer without such a token.
  /// @throws TextError as encode()
  virtual std::vector<std::string> unknown_words([[maybe_unused]] std::string_view text) const {
    return {};
  }

  /// The text of some tokens. `decode(encode(text)) == text`, except for words that a word
  /// tokenizer does not know, and for WordPiece, which normalises texts first. Part of a text may
  /// end inside a character: print such parts through Utf8Buffer (utf8.h).
  /// @throws std::invalid_argument for a token outside the vocabulary
  virtual std::string decode(std::span<const std::int32_t> tokens) const = 0;

  /// The bytes of one token: a character, or part of one.
  /// @throws std::invalid_argument for a token outside the vocabulary
  virtual std::string piece(std::int32_t token) const = 0;

  /// Whether a token represents no text: an unknown word, or a mark that only programs insert.
  virtual bool is_special([[maybe_unused]] std::int32_t token) const { return false; }

  /// Those of its own tokens that tasks should use, if it has such; otherwise tasks append theirs
  /// (SpecialTokens).
  virtual std::optional<FrameTokens> frame_tokens() const { return std::nullopt; }

 protected:
  /// @throws std::invalid_argument unless 0 <= token < vocab_size()
  void check_token(std::int32_t token) const;
};

/// The most bytes in a token learnt from text: a long run of one character would give tokens of
/// half its length, useless for any other text. GPT-2's longest has 128.
inline constexpr std::size_t kLongestToken = 256;

/// @}

}  // namespace gradus
