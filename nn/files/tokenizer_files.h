/// @file
/// Tokenizers in files: our own format and Hugging Face's.
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

/// A tokenizer of one of our kinds as JSON text, which tokenizer_from_json() reads.
/// @throws std::invalid_argument for a class that no file has a format for
std::string tokenizer_to_json(const Tokenizer& tokenizer);

/// Whether that is in Hugging Face's format, which other programs can read.
bool is_hugging_face(const Tokenizer& tokenizer);

/// Reads the output of tokenizer_to_json(), and Hugging Face's files of byte-pair and WordPiece
/// tokenizers. Unknown types are errors, and so are other keys or orders in our own formats; errors
/// call the text `source`, usually its file's name.
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
