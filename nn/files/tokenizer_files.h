/// @file
/// Tokenizers in files: gradus's own format and Hugging Face's.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "nn/text/tokenizer.h"

namespace gradus {

/// @addtogroup files
/// @{

/// The file with a byte-pair, metaspace or WordPiece tokenizer in a checkpoint folder, in Hugging
/// Face's format (byte_pair_files.h, metaspace_files.h, word_piece_files.h). Earlier versions used
/// this name for all kinds.
inline constexpr const char* kTokenizerFile = "tokenizer.json";

/// The file for the other kinds, which Hugging Face's format cannot express. It holds one JSON
/// object:
///
///     {"type":"char","vocab":["\n"," ","a","b"]}   the characters in ascending order, one a token
///     {"type":"byte"}                              nothing to keep
///     {"type":"word","vocab":["<unk>"," ","the"]}  the tokens in order
///
/// Earlier versions stored WordPiece here, as
/// `{"type":"wordpiece","lower_case":true,"strip_accents":true, "vocab":["[PAD]",...]}`, and the
/// models had padding, begin, end and mask after these tokens. A tokenizer from such a file still
/// has them there.
inline constexpr const char* kOwnTokenizerFile = "gradus_tokenizer.json";

/// The largest tokenizer file of gradus's own that is read, in bytes. A vocabulary of all Unicode
/// characters takes less than 8 MB. Tokenizers learned from text stay below this limit
/// (learn_tokenizer() in corpus.h).
inline constexpr std::size_t kLargestTokenizer = std::size_t{16} << 20;

/// The largest tokenizer.json that is read, in bytes. Llama 3's has 17 MB.
inline constexpr std::size_t kLargestTokenizerOfOthers = std::size_t{64} << 20;

/// Returns a tokenizer as JSON text, which tokenizer_from_json() reads.
/// @throws std::invalid_argument for a class without a file format
std::string tokenizer_to_json(const Tokenizer& tokenizer);

/// Whether tokenizer_to_json() writes Hugging Face's format, which other programs can read.
bool is_hugging_face(const Tokenizer& tokenizer);

/// Reads the output of tokenizer_to_json(), and Hugging Face's files of byte-pair and WordPiece
/// tokenizers. Unknown types are errors, and in gradus's own formats also unknown keys or another
/// order. Error messages name the text `source`, usually the file's name.
/// @throws std::runtime_error naming source and error
std::unique_ptr<Tokenizer> tokenizer_from_json(std::string_view json, const std::string& source);

/// Writes the tokenizer into a folder, to the file for its kind, and removes the other of the two
/// files. For WordPiece, also writes BERT's vocab.txt and tokenizer_config.json, and for a
/// tokenizer with rules() the files that they were read from.
/// @throws std::runtime_error naming the file and the system's reason
void save_tokenizer(const Tokenizer& tokenizer, const std::filesystem::path& folder);

/// Returns the file that load_tokenizer() reads from a folder: the first that exists of
/// tokenizer.json, gradus_tokenizer.json, vocab.json with merges.txt (byte_pair_files.h), and
/// vocab.txt (word_piece_files.h). If none exists, returns tokenizer.json.
std::filesystem::path tokenizer_file(const std::filesystem::path& folder);

/// Whether one of these files exists.
bool holds_tokenizer(const std::filesystem::path& folder);

/// Reads the tokenizer of a folder from its tokenizer_file(), or of the base of an adapter's
/// folder.
/// @throws std::runtime_error naming the file and the error
std::unique_ptr<Tokenizer> load_tokenizer(const std::filesystem::path& folder);

/// @}

}  // namespace gradus
