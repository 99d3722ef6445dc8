/// @file
/// The lines of a text.
#pragma once

#include <algorithm>
#include <string_view>

namespace gradus {

/// @addtogroup text
/// @{

/// Calls body(line, is_last) for each line, without its end: LF or CR LF. A text that ends with a
/// line end has no empty line behind it.
template <class Body>
void for_each_line(std::string_view text, Body&& body) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) {
      line.remove_suffix(1);
    }
    body(line, text.empty());
  }
}

/// @}

}  // namespace gradus
