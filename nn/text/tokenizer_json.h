/// @file
/// What the readers of JSON files share. Errors name the cause; who knows the file adds it.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gradus {

/// @addtogroup text
/// @{

/// Makes sure that JSON from a file is not nested deeper than any that is of use here: to copy or
/// print a value takes stack for each level. To be called before it is parsed.
/// @throws std::invalid_argument saying so
void check_depth(std::string_view json);

/// Parses JSON in which no object has a key twice.
/// @throws std::invalid_argument saying what is wrong
nlohmann::json parse_json(std::string_view text);

/// Makes sure that an object has no other keys than these.
/// @throws std::invalid_argument naming a key of the object that is none of these
void allow_keys(const nlohmann::json& json, const std::set<std::string>& allowed);

/// A post_processor that puts [CLS] before a text and [SEP] behind it and behind a second one.
nlohmann::ordered_json bert_framing(std::int32_t cls, std::int32_t sep);

/// Whether a post_processor does that.
bool is_bert_framing(const nlohmann::json& part);

/// A string as an error message shows it: in quotes, with escapes.
std::string quoted(const std::string& text);

/// What stands under a key of an object; null where there is nothing.
nlohmann::json setting(const nlohmann::json& part, const char* key);

/// Refuses a setting that is neither null nor what it must be here.
/// @throws std::invalid_argument naming `where` and the key
void allow_only(const nlohmann::json& part, const char* where, const char* key,
                const nlohmann::json& allowed);

/// Tokens as files write them, with their numbers.
struct NumberedTokens {
  std::unordered_map<std::string, std::int32_t> numbers;  ///< of each
  std::vector<std::string> tokens;                        ///< by number
  std::set<std::string> specials;                         ///< those of them that only programs set
};

/// The tokens of an object of numbers, `{"the": 5, ...}`.
/// @throws std::invalid_argument unless they are numbered from 0 on without holes
NumberedTokens numbered_tokens(const nlohmann::json& vocabulary);

/// The tokens of a tokenizer.json: its model's vocabulary and the added tokens, all of which must
/// be special and nothing but their text.
/// @throws std::invalid_argument naming what is wrong
NumberedTokens all_tokens(const nlohmann::json& json);

/// A special token as tokenizer.json lists it among added_tokens.
nlohmann::ordered_json added_token(const std::string& content, std::int32_t number);

/// @}

}  // namespace gradus
