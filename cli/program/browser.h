/// @file
/// Pages that people are shown.
#pragma once

#include <string>

namespace gradus {

/// Opens a file in the user's browser, by xdg-open or macOS's open, and does not wait for it.
/// Where there is neither, says so on standard error.
void open_in_browser(const std::string& file);

}  // namespace gradus
