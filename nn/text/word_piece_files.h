/// @file
/// WordPiece tokenizers in the two forms that BERTs are published with: Hugging Face's
/// tokenizer.json, and vocab.txt with tokenizer_config.json.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "nn/text/word_piece_tokenizer.h"

namespace gradus {

/// @addtogroup text
/// @{

/// BERT's vocabulary: a token a line, the first is token 0.
inline constexpr const char* kWordPiecesFile = "vocab.txt";
/// What Hugging Face keeps beside it: whether letters become small and lose their accents.
inline constexpr const char* kTokenizerConfigFile = "tokenizer_config.json";
/// Longer words, in characters, are unknown, as in Hugging Face's tokenizers.
inline constexpr std::size_t kLongestBertWord = 100;

/// A tokenizer.json of Hugging Face's tokenizers: a WordPiece model behind BERT's normalizer and
/// pre-tokenizer, a post-processor that puts [CLS] and [SEP] around texts, and the special tokens
/// among added_tokens.
std::string word_pieces_to_json(const WordPieceTokenizer& tokenizer);

/// Whether a tokenizer.json is of a WordPiece model.
bool holds_word_pieces(const nlohmann::json& json);

/// Reads such a file. Truncation, padding and the decoder are passed over; whatever else would give
/// other tokens than WordPieceTokenizer is an error: other normalizers, pre-tokenizers, frames of a
/// text and prefixes, and added tokens that plain text can give.
/// @throws std::invalid_argument naming the part that is wrong
WordPieceTokenizer word_pieces_from_json(const nlohmann::json& json);

/// Writes vocab.txt and tokenizer_config.json into a folder.
/// @throws std::runtime_error naming the file and the system's reason
void save_bert_vocabulary(const WordPieceTokenizer& tokenizer, const std::filesystem::path& folder);

/// Reads vocab.txt, and tokenizer_config.json if it is there: without it, letters become small, as
/// everywhere.
/// @throws std::runtime_error naming the file and what is wrong with it
WordPieceTokenizer load_bert_vocabulary(const std::filesystem::path& folder);

/// Writes BERT's vocab.txt alone.
/// @throws std::runtime_error naming the file and the system's reason
void save_word_pieces(const WordPieceTokenizer& tokenizer, const std::filesystem::path& file);

/// Reads such a file.
/// @throws std::runtime_error naming the file and what is wrong with it
WordPieceTokenizer load_word_pieces(const std::filesystem::path& file,
                                    const BertNormalisation& normalisation);

/// @}

}  // namespace gradus
