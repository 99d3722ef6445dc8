/// @file
/// The parts that the readers of tokenizers' JSON files share. Errors name the cause; the caller
/// adds the file's name.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "nn/files/parse_json.h"
#include "nn/text/added_tokens.h"

namespace gradus {

/// @addtogroup files
/// @{

/// Checks that an object has only these keys.
/// @throws std::invalid_argument naming a key that is not allowed
void allow_keys(const nlohmann::json& json, const std::set<std::string>& allowed);

/// Returns a post_processor that puts [CLS] before a text and [SEP] after it and after a second
/// text.
nlohmann::ordered_json bert_framing(std::int32_t cls, std::int32_t sep);

/// Whether a post_processor does the same as bert_framing()'s.
bool is_bert_framing(const nlohmann::json& part);

/// Returns the token that a post_processor puts before a text, if it does; nothing for
/// bert_framing()'s.
/// @throws std::invalid_argument if it is not a token below `vocab_size`
std::optional<std::int32_t> begin_of(const nlohmann::json& post_processor, std::size_t vocab_size);

/// Returns the value of a key in an object; null if there is none.
nlohmann::json setting(const nlohmann::json& part, const char* key);

/// Rejects a setting that is neither null nor the required value.
/// @throws std::invalid_argument naming `where` and the key
void allow_only(const nlohmann::json& part, const char* where, const char* key,
                const nlohmann::json& allowed);

/// Tokens in the form for files, with their numbers.
struct NumberedTokens {
  std::unordered_map<std::string, std::int32_t> numbers;  ///< the number of each token
  std::vector<std::string> tokens;                        ///< the token of each number
  std::set<std::string> specials;                         ///< tokens that only programs insert
  std::vector<AddedToken> added;                          ///< all added tokens, with conditions
};

/// Reads tokens from an object of numbers, `{"the": 5, ...}`.
/// @throws std::invalid_argument unless they are numbered from 0 without gaps
NumberedTokens numbered_tokens(const nlohmann::json& vocabulary);

/// Reads the tokens of a tokenizer.json: its model's vocabulary and the added tokens.
/// @throws std::invalid_argument naming the error
NumberedTokens all_tokens(const nlohmann::json& json);

/// Refuses added tokens that are not special, or that have conditions.
/// @throws std::invalid_argument naming the token and the condition
void require_plain_specials(const std::vector<AddedToken>& added);

/// Two tokens to merge, in the form for files.
using WrittenMerge = std::pair<std::string, std::string>;

/// Reads merge number `merge` from "a b", as in merges.txt.
/// @throws std::invalid_argument naming the merge
WrittenMerge split_merge(const std::string& line, std::size_t merge);

/// Reads merge number `merge` of a tokenizer.json, "a b" or ["a", "b"].
/// @throws std::invalid_argument naming the merge
WrittenMerge read_merge(const nlohmann::json& json, std::size_t merge);

/// Returns the entry of a special token in tokenizer.json's added_tokens.
nlohmann::ordered_json added_token(const std::string& content, std::int32_t number);

/// @}

}  // namespace gradus
