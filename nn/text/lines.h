/// @file
/// Splits a text into lines.
#pragma once

#include <algorithm>
#include <string_view>

namespace gradus {

/// @addtogroup text
/// @{

/// Calls body(line, is_last) for each line, without its LF or CR LF. A line end at the end of the
/// text is not followed by an empty line.
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
