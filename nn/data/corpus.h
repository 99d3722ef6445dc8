/// @file
/// From files to training data: texts read once, their tokens, and the split for validation.
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

/// The largest text that is read, in bytes; each of its tokens takes four more.
inline constexpr std::size_t kLargestText = std::size_t{1} << 30;

/// One or more texts joined, which remembers what came from where.
class Text {
 public:
  /// Adds a text, which error messages call `name`, at the end, after a newline if the one before
  /// does not end with one. A UTF-8 byte order mark at its start is dropped: it marks the file and
  /// is no part of the text. All else stays as it is, line ends of the form CR LF too.
  /// @throws std::runtime_error if nothing is left to add
  void append(std::string name, std::string_view bytes);

  /// The whole text.
  const std::string& bytes() const { return bytes_; }

  /// The first text's name, with "and N more" if there are more.
  std::string name() const;

  /// Words an error about this text anew, with the file it stands in and the place there:
  /// `notes.txt: invalid UTF-8 at byte 1234 (line 17): 0xff starts no character (...)`.
  std::runtime_error blame(const TextError& error) const;

 private:
  struct Source {
    std::string name;
    std::size_t begin;    // its first byte in bytes_
    std::size_t skipped;  // bytes of its file before that one
  };
  std::string bytes_;
  std::vector<Source> sources_;
};

/// Reads and joins files, in this order; "-" is standard input, which may be a pipe.
/// @throws std::runtime_error naming the file that is missing, unreadable, a directory, empty or
///   larger than `limit`; std::invalid_argument if there is no name, or "-" twice
Text read_text(const std::vector<std::string>& names, std::FILE* standard_input = stdin,
               std::size_t limit = kLargestText);

/// The corpus that is part of the program: 303 fables in plain ASCII (nn/data/corpus/README.md).
std::string_view bundled_fables();

/// The tokens that bpe, word and wordpiece learn unless told otherwise, as far as the text has
/// them.
inline constexpr int kUsualVocabulary = 4096;

/// The tokenizer of this kind for a text: "char" takes its characters, "byte" needs nothing of it,
/// "bpe", "word" and "wordpiece" learn up to vocab_size tokens from it, kUsualVocabulary for 0.
/// @throws std::runtime_error naming file, byte and line where "char" or "word" meets invalid
/// UTF-8;
///   std::invalid_argument for another kind, a vocab_size that has no room for what the kind always
///   has, and for any with "char" and "byte", whose size is settled
std::unique_ptr<Tokenizer> learn_tokenizer(const std::string& kind, const Text& text,
                                           int vocab_size = 0,
                                           const LearningProgress& progress = {});

/// Which part of a corpus.
enum class Split {
  kAll,    ///< the whole
  kTrain,  ///< the first nine tenths, for training
  kVal,    ///< the rest, for validation
};

/// The bytes of text that predicting these tokens one after the other covers: of all but the first,
/// which nothing predicts. A total loss in nats over them, divided by this and ln 2, is bits per
/// byte, which compares between tokenizers as loss per token does not.
std::size_t target_bytes(std::span<const std::int32_t> tokens, const Tokenizer& tokenizer);

/// The tokens of a text, and their split by position at int(0.9 N), as in nanoGPT.
/// By position and not at random, since blocks drawn from interleaved parts would overlap, and the
/// validation loss would reward what was learnt by heart.
///
///     Text text = read_text({"notes.txt"});
///     auto tokenizer = learn_tokenizer("char", text);
///     Corpus corpus(text, *tokenizer);
///     corpus.require_blocks(64);
class Corpus {
 public:
  /// @throws std::runtime_error naming file, byte and line of what the tokenizer cannot express
  Corpus(const Text& text, const Tokenizer& tokenizer);

  /// The tokens of a part; valid while the corpus lives.
  std::span<const std::int32_t> tokens(Split split) const;

  const std::string& name() const { return name_; }       ///< of the text, for messages
  std::size_t text_bytes() const { return text_bytes_; }  ///< divided by tokens: bytes per token

  /// Makes sure that training and validation part each hold a block and the token after it: ten
  /// tokens a position, N >= 10 block_size + 1. A shorter text is an error and not a reason to
  /// validate on shorter blocks, since losses at different lengths do not compare.
  /// @throws std::invalid_argument with the numbers and the largest block that fits
  void require_blocks(int block_size) const;

 private:
  std::string name_;
  std::size_t text_bytes_;
  std::vector<std::int32_t> tokens_;
};

/// @}

}  // namespace gradus
