/// @file
/// Parses JSON from files that may be damaged or hostile. Errors name the cause; the caller adds
/// the file's name.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace gradus {

/// @addtogroup files
/// @{

/// Checks, before parsing, that JSON from a file is not nested deeper than any valid file, since
/// copying or printing a value uses stack for each level.
/// @throws std::invalid_argument if it is nested deeper
void check_depth(std::string_view json);

/// Parses JSON. An object may not have a key twice.
/// @throws std::invalid_argument naming the error
nlohmann::json parse_json(std::string_view text);

/// Returns a string in the form for error messages: in quotes, with escapes.
std::string quoted(const std::string& text);

/// @}

}  // namespace gradus
