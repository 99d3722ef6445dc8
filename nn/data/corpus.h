/// @file
/// From files to training data: texts read once, their tokens, and the validation split.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
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

/// The largest text that is read, in bytes; each of its tokens takes four more bytes.
inline constexpr std::size_t kLargestText = std::size_t{1} << 30;

/// What becomes of line ends CR LF.
enum class LineEnds {
  kKeep,  ///< they stay as they are
  kFold,  ///< they become LF
};

/// One or more texts joined, with a record of which part came from where.
/// @code
/// Text text;
/// text.append("one.txt", "a cat");
/// text.append("two.txt", "a dog");
/// text.bytes();  // "a cat\na dog"
/// text.name();   // "one.txt and 1 more"
/// @endcode
class Text {
 public:
  /// Appends a text, which error messages call `name`; inserts a newline if the text before does
  /// not end with one. A UTF-8 byte order mark at its start is dropped: it marks the file and is
  /// not part of the text. Everything else is kept, except CR LF line ends if they are to be
  /// folded.
  /// @throws std::runtime_error if there is nothing left to append
  void append(std::string name, std::string_view bytes, LineEnds line_ends = LineEnds::kKeep);

  /// The whole text.
  const std::string& bytes() const { return bytes_; }

  /// The first text's name, with "and N more" if there are more.
  std::string name() const;

  /// How many line ends CR LF append() has folded.
  std::size_t folded() const;

  /// Rewords an error about this text, with the file it occurs in and the location there:
  /// `notes.txt: invalid UTF-8 at byte 1234 (line 17): 0xff starts no character (...)`. In a file
  /// with folded line ends the byte is counted from the start of its line.
  std::runtime_error blame(const TextError& error) const;

 private:
  struct Source {
    std::string name;
    std::size_t begin;    // its first byte in bytes_
    std::size_t skipped;  // bytes of its file before `begin`
    std::size_t folded;   // line ends
  };
  std::string bytes_;
  std::vector<Source> sources_;
};

/// Reads and joins files, in this order; "-" is standard input, which may be a pipe. Line ends CR
/// LF become LF, as when Python reads a text, unless they are to be kept.
/// @throws std::runtime_error naming the file that is missing, unreadable, a directory, empty or
///   larger than `limit`; std::invalid_argument if there is no name, or "-" twice
Text read_text(const std::vector<std::string>& names, std::FILE* standard_input = stdin,
               std::size_t limit = kLargestText, LineEnds line_ends = LineEnds::kFold);

/// The corpus built into the program: 303 fables in plain ASCII (nn/data/corpus/README.md).
std::string_view bundled_fables();

/// The default number of tokens that bpe, word and wordpiece learn, if the text has that many.
inline constexpr int kUsualVocabulary = 4096;

/// Makes a tokenizer of this kind for a text: "char" uses its characters, "byte" does not depend on
/// it, "bpe", "word" and "wordpiece" learn up to vocab_size tokens from it, kUsualVocabulary if 0.
/// @throws std::runtime_error naming file, byte and line where "char" or "word" meets invalid
/// UTF-8;
///   std::invalid_argument for another kind, a vocab_size that has no room for what the kind always
///   has, and for any with "char" and "byte", whose size is settled
std::unique_ptr<Tokenizer> learn_tokenizer(const std::string& kind, const Text& text,
                                           int vocab_size = 0,
                                           const LearningProgress& progress = {});

/// A part of a corpus.
enum class Split {
  kAll,    ///< the whole
  kTrain,  ///< the first nine tenths, for training
  kVal,    ///< the rest, for validation
};

/// The bytes of text that predicting these tokens covers: all tokens but the first, which nothing
/// predicts. A total loss in nats over them, divided by this and ln 2, is bits per byte, which is
/// comparable across tokenizers; loss per token is not.
std::size_t target_bytes(std::span<const std::int32_t> tokens, const Tokenizer& tokenizer);

/// The tokens of a text, and their split by position at int(0.9 N), as in nanoGPT. The split is by
/// position, not random: blocks drawn from interleaved parts would overlap, and the validation loss
/// would reward memorisation.
/// @code
/// Text text;
/// text.append("digits", "0123456789");
/// const auto tokenizer = learn_tokenizer("char", text);
/// const Corpus corpus(text, *tokenizer);
/// corpus.tokens(Split::kVal);  // [9]
/// @endcode
class Corpus {
 public:
  /// @throws std::runtime_error naming file, byte and line of what the tokenizer cannot express
  Corpus(const Text& text, const Tokenizer& tokenizer);

  /// The tokens of a part; valid as long as the corpus exists.
  std::span<const std::int32_t> tokens(Split split) const;

  const std::string& name() const { return name_; }       ///< of the text, for messages
  std::size_t text_bytes() const { return text_bytes_; }  ///< divided by tokens: bytes per token

  /// Checks that training and validation part each hold a block and the token after it: ten tokens
  /// per position, N >= 10 block_size + 1. A shorter text is an error. Validating on shorter blocks
  /// instead would make losses incomparable.
  /// @throws std::invalid_argument with the numbers and the largest block that fits
  void require_blocks(int block_size) const;

 private:
  std::string name_;
  std::size_t text_bytes_;
  std::vector<std::int32_t> tokens_;
};

/// @}

}  // namespace gradus
