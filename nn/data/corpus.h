/// @file
/// From files to training data: texts, their tokens, and the validation split.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nn/text/learn_byte_pairs.h"
#include "nn/text/tokenizer.h"
#include "nn/text/utf8.h"

namespace gradus {

/// @addtogroup data
/// @{

/// The largest text that is read, in bytes. Each of its tokens takes four more bytes.
inline constexpr std::size_t kLargestText = std::size_t{1} << 30;

/// The treatment of line ends CR LF.
enum class LineEnds {
  kKeep,  ///< unchanged
  kFold,  ///< converted to LF
};

/// One or more texts, joined, and the source of each part.
/// @code
/// Text text;
/// text.append("one.txt", "a cat");
/// text.append("two.txt", "a dog");
/// text.bytes();  // "a cat\na dog"
/// text.name();   // "one.txt and 1 more"
/// @endcode
class Text {
 public:
  /// Appends a text with a name for error messages. Inserts a newline if the text before it does
  /// not end with one. Drops a UTF-8 byte order mark at the start, which marks the file and is not
  /// part of the text, and folds CR LF line ends if requested. Everything else is kept.
  /// @throws std::runtime_error if nothing is left to append
  void append(std::string name, std::string_view bytes, LineEnds line_ends = LineEnds::kKeep);

  /// The whole text.
  const std::string& bytes() const { return bytes_; }

  /// The first text's name, with "and N more" if there are more.
  std::string name() const;

  /// The number of line ends CR LF that append() has folded.
  std::size_t folded() const;

  /// Rewords an error about this text with the name of the file and the location in the file:
  /// `notes.txt: invalid UTF-8 at byte 1234 (line 17): 0xff starts no character (...)`. In a file
  /// with folded line ends the byte is counted from the start of its line.
  std::runtime_error blame(const TextError& error) const;

 private:
  struct Source {
    std::string name;
    std::size_t begin;    // position of its first byte in bytes_
    std::size_t skipped;  // bytes of its file before `begin`
    std::size_t folded;   // number of folded line ends
  };
  std::string bytes_;
  std::vector<Source> sources_;
};

/// Reads texts and joins them in this order. A name stands for a file, for a bundled text (for a
/// file called tales, write ./tales) or, as "-", for standard input, which may be a pipe. Line ends
/// CR LF become LF, as when Python reads a text, unless `line_ends` is kKeep.
/// @throws std::runtime_error naming the file that is missing, unreadable, a directory, empty or
/// larger than `limit` bytes; std::invalid_argument if there is no name, or "-" occurs twice
Text read_text(const std::vector<std::string>& names, std::FILE* standard_input = stdin,
               std::size_t limit = kLargestText, LineEnds line_ends = LineEnds::kFold);

/// A text in the program, in plain ASCII: `tales` (2,054 tiny tales) or `fables` (303 fables); see
/// nn/data/corpus/README.md. Nothing for another name.
std::optional<std::string_view> bundled_text(std::string_view name);

/// The default number of tokens that bpe, word and wordpiece learn, if the text has enough.
inline constexpr int kUsualVocabulary = 4096;

/// The kinds of tokenizers, for learn_tokenizer().
inline constexpr std::array<const char*, 5> kTokenizerKinds = {"char", "byte", "bpe", "word",
                                                               "wordpiece"};

/// Makes a tokenizer of this kind for a text. "char" has one token per character of the text;
/// "byte" does not depend on the text; "bpe", "word" and "wordpiece" learn up to vocab_size tokens
/// from the text, or up to kUsualVocabulary if vocab_size is 0.
/// @throws std::runtime_error naming file, byte and line where "char" or "word" meets invalid
/// UTF-8; std::invalid_argument for an unknown kind, for a vocab_size with no room for the tokens
/// that the kind always has, and for any vocab_size with "char" or "byte", whose size is fixed
std::unique_ptr<Tokenizer> learn_tokenizer(const std::string& kind, const Text& text,
                                           int vocab_size = 0,
                                           const LearningProgress& progress = {});

/// A part of a corpus.
enum class Split {
  kAll,    ///< the whole
  kTrain,  ///< the first nine tenths, for training
  kVal,    ///< the last tenth, for validation
};

/// Returns the number of bytes of text in all predicted tokens: all tokens except the first. A
/// total loss in nats over these tokens, divided by this number and ln 2, is bits per byte. Bits
/// per byte can be compared between tokenizers; the loss per token cannot.
std::size_t target_bytes(std::span<const std::int32_t> tokens, const Tokenizer& tokenizer);

/// The tokens of a text, split at position int(0.9 N), as in nanoGPT. The split is not random:
/// blocks drawn from interleaved parts would overlap, and the validation loss would reward
/// memorisation.
/// @code
/// Text text;
/// text.append("digits", "0123456789");
/// const auto tokenizer = learn_tokenizer("char", text);
/// const Corpus corpus(text, *tokenizer);
/// corpus.tokens(Split::kVal);  // [9]
/// @endcode
class Corpus {
 public:
  /// Encodes a text. If the tokenizer's rules() have a begin token, it comes first: files joined to
  /// one text are one text, and blocks are cut out of it.
  /// @throws std::runtime_error naming file, byte and line of the first text that the tokenizer
  /// cannot express
  Corpus(const Text& text, const Tokenizer& tokenizer);

  /// The tokens of a part, valid as long as the corpus exists.
  std::span<const std::int32_t> tokens(Split split) const;

  const std::string& name() const { return name_; }       ///< the text's name, for messages
  std::size_t text_bytes() const { return text_bytes_; }  ///< the text's size in bytes

  /// Checks that the training part and the validation part each hold a block and the token after
  /// it, which needs N >= 10 block_size + 1 tokens. A shorter text is an error, since losses on
  /// shorter validation blocks could not be compared.
  /// @throws std::invalid_argument with both numbers and the largest block that fits
  void require_blocks(int block_size) const;

 private:
  std::string name_;
  std::size_t text_bytes_;
  std::vector<std::int32_t> tokens_;
};

/// @}

}  // namespace gradus
