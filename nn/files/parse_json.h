/// @file
/// JSON from files that may be damaged or hostile. Errors give the cause; the caller adds the
/// file's name.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace gradus {

/// @addtogroup files
/// @{

/// Checks, before parsing, that JSON from a file is not nested deeper than any valid file: copying
/// or printing a value uses stack for each level.
/// @throws std::invalid_argument if it is
void check_depth(std::string_view json);

/// Parses JSON; an object may not have a key twice.
/// @throws std::invalid_argument naming the error
nlohmann::json parse_json(std::string_view text);

/// A string as an error message shows it: in quotes, with escapes.
std::string quoted(const std::string& text);

/// @}

}  // namespace gradus
