/// @file
/// WordPiece tokenizers in the two file formats of published BERTs: Hugging Face's tokenizer.json,
/// and vocab.txt with tokenizer_config.json.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "nn/text/word_piece_tokenizer.h"

namespace gradus {

/// @addtogroup files
/// @{

/// The file with BERT's vocabulary: one token per line, from token 0 on.
inline constexpr const char* kWordPiecesFile = "vocab.txt";
/// The file with Hugging Face's settings for the vocabulary: whether to lower-case letters and
/// strip accents.
inline constexpr const char* kTokenizerConfigFile = "tokenizer_config.json";
/// Returns the text of a tokenizer.json for Hugging Face's tokenizers: a WordPiece model after
/// BERT's normalizer and pre-tokenizer, a post-processor that puts [CLS] and [SEP] around texts,
/// and the special tokens in added_tokens.
std::string word_pieces_to_json(const WordPieceTokenizer& tokenizer);

/// Whether a tokenizer.json contains a WordPiece model.
bool holds_word_pieces(const nlohmann::json& json);

/// Reads such a file. Truncation, padding and the decoder are ignored. Every other setting that
/// would give other tokens than WordPieceTokenizer is an error: other normalizers, pre-tokenizers,
/// templates and prefixes, and added tokens that plain text can produce.
/// @throws std::invalid_argument naming the wrong part
WordPieceTokenizer word_pieces_from_json(const nlohmann::json& json);

/// Writes vocab.txt and tokenizer_config.json into a folder.
/// @throws std::runtime_error naming the file and the system's reason
void save_bert_vocabulary(const WordPieceTokenizer& tokenizer, const std::filesystem::path& folder);

/// Reads vocab.txt, and tokenizer_config.json if it exists. Without tokenizer_config.json, letters
/// are lower-cased, as is the usual default.
/// @throws std::runtime_error naming the file and the error
WordPieceTokenizer load_bert_vocabulary(const std::filesystem::path& folder);

/// Writes only BERT's vocab.txt.
/// @throws std::runtime_error naming the file and the system's reason
void save_word_pieces(const WordPieceTokenizer& tokenizer, const std::filesystem::path& file);

/// Reads such a file.
/// @throws std::runtime_error naming the file and the error
WordPieceTokenizer load_word_pieces(const std::filesystem::path& file,
                                    const BertNormalisation& normalisation);

/// @}

}  // namespace gradus
