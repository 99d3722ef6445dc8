/// @file
/// What the readers of JSON files share. Errors name the cause; who knows the file adds it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <string_view>

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

/// A string as an error message shows it: in quotes, with escapes.
std::string quoted(const std::string& text);

/// @}

}  // namespace gradus
