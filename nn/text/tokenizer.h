/// @file
/// The interface between text and token numbers, and how checkpoints store tokenizers.
#pragma once

#include <cstdint>
#include <filesystem>
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
/// threads may share one. To add a kind, add a class and a few lines in tokenizer_from_json(); one
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
  /// (SpecialTokens, rows.h).
  virtual std::optional<FrameTokens> frame_tokens() const { return std::nullopt; }

  /// The tokenizer as JSON text, which tokenizer_from_json() reads.
  virtual std::string to_json() const = 0;

  /// Whether to_json() is in Hugging Face's format, which other programs can read.
  virtual bool is_hugging_face() const { return false; }

 protected:
  /// @throws std::invalid_argument unless 0 <= token < vocab_size()
  void check_token(std::int32_t token) const;
};

/// The file in a checkpoint folder that holds a byte-pair or WordPiece tokenizer, in Hugging Face's
/// format (byte_pair_files.h, word_piece_files.h). Earlier versions used this name for all kinds.
inline constexpr const char* kTokenizerFile = "tokenizer.json";

/// The file for the other kinds, which that format cannot express, as one JSON object:
///
///     {"type":"char","vocab":["\n"," ","a","b"]}   the characters in ascending order, one a token
///     {"type":"byte"}                              nothing to keep
///     {"type":"word","vocab":["<unk>"," ","the"]}  the tokens in order
///
/// Earlier versions stored WordPiece here, as
/// `{"type":"wordpiece","lower_case":true,"strip_accents":true, "vocab":["[PAD]",...]}`, and their
/// models had padding, begin, end and mask after these tokens: a tokenizer read from such a file
/// stays that way.
inline constexpr const char* kOwnTokenizerFile = "gradus_tokenizer.json";

/// The largest such file that is read, in bytes: a vocabulary of all Unicode characters takes less
/// than 8 MB. Tokenizers learnt from text respect this limit (learn_tokenizer() in corpus.h).
inline constexpr std::size_t kLargestTokenizer = std::size_t{16} << 20;

/// The most bytes in a token learnt from text: a long run of one character would give tokens of
/// half its length, useless for any other text. GPT-2's longest has 128.
inline constexpr std::size_t kLongestToken = 256;

/// Reads the output of to_json(), and Hugging Face's files of byte-pair and WordPiece tokenizers.
/// Unknown types are errors, and so are other keys or orders in our own formats; errors call the
/// text `source`, usually its file's name.
/// @throws std::runtime_error naming source and cause
std::unique_ptr<Tokenizer> tokenizer_from_json(std::string_view json, const std::string& source);

/// Writes the tokenizer into a folder, to the file for its kind, and removes the other of the two
/// files; for WordPiece, also BERT's vocab.txt and tokenizer_config.json.
/// @throws std::runtime_error naming the file and the system's reason
void save_tokenizer(const Tokenizer& tokenizer, const std::filesystem::path& folder);

/// The file that load_tokenizer() reads from a folder: the first that exists of tokenizer.json,
/// gradus_tokenizer.json, vocab.json with merges.txt (byte_pair_files.h), and vocab.txt
/// (word_piece_files.h); tokenizer.json if none does.
std::filesystem::path tokenizer_file(const std::filesystem::path& folder);

/// Whether one of these exists.
bool holds_tokenizer(const std::filesystem::path& folder);

/// Reads the tokenizer of a folder from its tokenizer_file().
/// @throws std::runtime_error naming the file and what is wrong with it
std::unique_ptr<Tokenizer> load_tokenizer(const std::filesystem::path& folder);

/// @}

}  // namespace gradus
