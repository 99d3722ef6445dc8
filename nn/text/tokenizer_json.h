/// @file
/// What the readers of tokenizers' JSON share. Errors name the cause; who knows the file adds it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <string_view>

namespace gradus {

/// @addtogroup text
/// @{

/// Parses JSON in which no object has a key twice.
/// @throws std::invalid_argument saying what is wrong
nlohmann::json parse_json(std::string_view text);

/// Makes sure that an object has no other keys than these.
/// @throws std::invalid_argument naming a key of the object that is none of these
void allow_keys(const nlohmann::json& json, const std::set<std::string>& allowed);

/// A string as an error message shows it: in quotes, with escapes.
std::string quoted(const std::string& text);

/// @}

}  // namespace gradus
