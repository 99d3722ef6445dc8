/// @file
/// Splits a text into lines.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace gradus {

/// @addtogroup text
/// @{

/// Calls body(line, is_last) for each line, without its LF or CR LF. A line end at the end of the
/// text does not begin another, empty line.
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

/// Replaces each CR LF from byte `begin` on with LF, and leaves every other CR unchanged. Returns
/// the number of replaced line ends.
/// @code
/// std::string text = "a\r\nb\rc\n";
/// fold_line_ends(text);  // 1
/// text;                  // "a\nb\rc\n"
/// @endcode
inline std::size_t fold_line_ends(std::string& text, std::size_t begin = 0) {
  std::size_t to = begin;
  for (std::size_t from = begin; from < text.size(); ++from) {
    const bool is_folded = text[from] == '\r' && from + 1 < text.size() && text[from + 1] == '\n';
    if (!is_folded) text[to++] = text[from];
  }
  const std::size_t folded = text.size() - to;
  text.resize(to);
  return folded;
}

/// @}

}  // namespace gradus
