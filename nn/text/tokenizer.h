/// @file
/// The interface between text and token numbers. See tokenizer_files.h for tokenizers in files.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nn/text/marked_text.h"
#include "nn/text/text_rules.h"

namespace gradus {

/// @addtogroup text
/// @{

/// The tokens that tasks insert: padding, marks around texts, and the mask.
struct FrameTokens {
  std::int32_t pad;    ///< pads rows to the longest
  std::int32_t begin;  ///< before a text: [CLS] of BERT
  std::int32_t end;    ///< after a text: [SEP] of BERT
  std::int32_t mask;   ///< [MASK] of BERT
};

/// Converts text to token numbers, 0 to vocab_size() - 1, and back. A tokenizer is immutable, so
/// that threads may share it. To add a kind, add a class and a few lines in tokenizer_files.cpp. A
/// kind that learns from text also needs a few lines in learn_tokenizer() (corpus.h).
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

  /// The kind's name for `--tokenizer`: "char", "byte", "bpe", "word" or "wordpiece". A tokenizer
  /// that is only read from files is "metaspace".
  virtual std::string name() const = 0;

  /// The number of different tokens.
  virtual int vocab_size() const = 0;

  /// Returns the tokens of a text.
  /// @throws TextError (utf8.h) naming the first part of the text that the vocabulary cannot
  /// express, and its position
  virtual std::vector<std::int32_t> encode(std::string_view text) const = 0;

  /// Returns the tokens of a text with markup. The text of a special token in markup becomes this
  /// token. Everything else is encoded as encode() does. A tokenizer without special tokens has
  /// none in markup either.
  /// @throws TextError as encode()
  virtual std::vector<std::int32_t> encode_marked(const MarkedText& text) const {
    return encode(text.bytes());
  }

  /// Returns the words of a text that encode() turns into the token for unknown words, in order,
  /// with repetitions. Empty for a tokenizer without such a token.
  /// @throws TextError as encode()
  virtual std::vector<std::string> unknown_words([[maybe_unused]] std::string_view text) const {
    return {};
  }

  /// Returns the text of tokens. `decode(encode(text)) == text`, except for words outside the
  /// vocabulary of a word tokenizer, and for WordPiece, which normalises texts first. The text of a
  /// part of the tokens may end inside a character: print such parts through Utf8Buffer (utf8.h).
  /// @throws std::invalid_argument for a token outside the vocabulary
  virtual std::string decode(std::span<const std::int32_t> tokens) const = 0;

  /// Returns the tokens of a text that continues another one, as an answer continues a prompt. They
  /// differ from encode()'s only if the tokenizer puts a blank before a text.
  /// @throws TextError as encode()
  virtual std::vector<std::int32_t> encode_continuation(std::string_view text) const {
    return encode(text);
  }

  /// Returns the text of such tokens.
  /// @throws std::invalid_argument as decode()
  virtual std::string decode_continuation(std::span<const std::int32_t> tokens) const {
    return decode(tokens);
  }

  /// Returns the bytes of one token. They may be only a part of a character.
  /// @throws std::invalid_argument for a token outside the vocabulary
  virtual std::string piece(std::int32_t token) const = 0;

  /// Whether a token represents no text: the token for unknown words, or a mark that only programs
  /// insert.
  virtual bool is_special([[maybe_unused]] std::int32_t token) const { return false; }

  /// Returns the tokenizer's own tokens that tasks should insert, if it has such tokens. Otherwise
  /// tasks use SpecialTokens.
  virtual std::optional<FrameTokens> frame_tokens() const { return std::nullopt; }

  /// Returns the token that the tokenizer's file puts before a text, if it names one. encode() does
  /// not insert it; see rules().
  virtual std::optional<std::int32_t> begin_token() const { return std::nullopt; }

  /// Returns the rules for texts in the model's folder, or nullptr if there are none.
  const TextRules* rules() const { return rules_.get(); }
  /// Sets rules(), which load_checkpoint() does before the tokenizer is shared.
  void set_rules(std::shared_ptr<const TextRules> rules) { rules_ = std::move(rules); }

 protected:
  /// Checks a token.
  /// @throws std::invalid_argument unless 0 <= token < vocab_size()
  void check_token(std::int32_t token) const;

 private:
  std::shared_ptr<const TextRules> rules_;
};

/// Returns the tokens of a text with the begin token before them, if the tokenizer's rules() have
/// one.
std::vector<std::int32_t> with_begin(const Tokenizer& tokenizer, std::vector<std::int32_t> tokens);

/// Whether a generated text ends at this token, according to the tokenizer's rules().
bool ends_text(const Tokenizer& tokenizer, std::int32_t token);

/// The largest number of bytes in a token learned from text. Without a limit, a long run of one
/// character would give tokens of half its length, which are useless for any other text. GPT-2's
/// longest token has 128 bytes.
inline constexpr std::size_t kLongestToken = 256;

/// @}

}  // namespace gradus
