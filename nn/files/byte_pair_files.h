/// @file
/// Byte-pair tokenizers in two common file formats: Hugging Face's tokenizer.json, and GPT-2's
/// original vocab.json with merges.txt.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "nn/text/byte_pair_tokenizer.h"

namespace gradus {

/// @addtogroup files
/// @{

/// The first of GPT-2's two files, with the tokens' numbers.
inline constexpr const char* kVocabularyFile = "vocab.json";
/// The second of GPT-2's two files, with the merges in order.
inline constexpr const char* kMergesFile = "merges.txt";

/// Returns the text of a tokenizer.json for Hugging Face's tokenizers: a BPE model between a
/// ByteLevel pre-tokenizer and a ByteLevel decoder, with the special tokens in added_tokens.
std::string byte_pairs_to_json(const BytePairs& pairs);

/// Reads such a file, with merges as "a b" or ["a", "b"]. It may also cut texts by expressions of
/// its own (Split and Digits before ByteLevel), put them into normal form C, have added tokens with
/// conditions, and ignore merges for pieces that are tokens, as Llama 3's and Qwen's files do.
/// Truncation and padding are ignored, and of the post_processor everything except the token before
/// a text. Every other setting that would give other tokens than BytePairTokenizer is an error,
/// such as a prefix space or dropout.
/// @throws std::invalid_argument naming the wrong part
BytePairs byte_pairs_from_json(const nlohmann::json& json);

/// Whether a folder contains vocab.json and merges.txt.
bool holds_vocabulary_and_merges(const std::filesystem::path& folder);

/// Writes vocab.json with the number of each token, and merges.txt with one merge per line, highest
/// priority first. Tokens are written as in byte_level.h.
/// @throws std::runtime_error naming the file and the system's reason
void save_vocabulary_and_merges(const BytePairs& pairs, const std::filesystem::path& folder);

/// Reads these two files. They do not mark special tokens: a token counts as special if it is
/// longer than a byte and no merge produces it, such as GPT-2's `<|endoftext|>`.
/// @throws std::runtime_error naming the file, the line of merges.txt and the error
BytePairTokenizer load_vocabulary_and_merges(const std::filesystem::path& folder);

/// @}

}  // namespace gradus
