/// @file
/// Opens pages in the user's browser.
#pragma once

#include <string>

namespace gradus {

/// Opens a file in the user's browser, with xdg-open or macOS's open, and does not wait for it.
/// Prints a note on standard error if neither is installed.
void open_in_browser(const std::string& file);

}  // namespace gradus
