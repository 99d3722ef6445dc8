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

/// The first of GPT-2's two files: the tokens' numbers.
inline constexpr const char* kVocabularyFile = "vocab.json";
/// The second: the merges, in order.
inline constexpr const char* kMergesFile = "merges.txt";

/// A tokenizer.json of Hugging Face's tokenizers: a BPE model between a ByteLevel pre-tokenizer
/// and a ByteLevel decoder, with the special tokens among added_tokens.
std::string byte_pairs_to_json(const BytePairs& pairs);

/// Reads such a file, with merges as "a b" or ["a", "b"]. Truncation and padding are ignored; every
/// other setting that would give different tokens from BytePairTokenizer is an error: normalizers,
/// a prefix space, dropout, added tokens that plain text can produce.
/// @throws std::invalid_argument naming the wrong part
BytePairs byte_pairs_from_json(const nlohmann::json& json);

/// Whether a folder holds vocab.json and merges.txt.
bool holds_vocabulary_and_merges(const std::filesystem::path& folder);

/// Writes vocab.json, the number of each token as byte_level.h writes it, and merges.txt, one merge
/// per line, highest priority first.
/// @throws std::runtime_error naming the file and the system's reason
void save_vocabulary_and_merges(const BytePairs& pairs, const std::filesystem::path& folder);

/// Reads them. They do not say which tokens are special: a token is taken as special if it is
/// longer than a byte and no merge makes it, such as GPT-2's `<|endoftext|>`.
/// @throws std::runtime_error naming the file, and the line of merges.txt, with the error
BytePairTokenizer load_vocabulary_and_merges(const std::filesystem::path& folder);

/// @}

}  // namespace gradus
