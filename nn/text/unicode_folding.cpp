#include "nn/text/unicode_folding.h"

#include <utf8proc.h>

namespace gradus {

std::u32string lower_case(char32_t character) {
  // utf8proc has the simple mappings, from one character to one. Unicode's SpecialCasing.txt has
  // one more lower case that depends on no neighbour and no language.
  if (character == 0x130) return {'i', 0x307};
  return {static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(character)))};
}

std::u32string without_accents(char32_t character) {
  const auto is_mark = [](utf8proc_int32_t c) {
    return utf8proc_category(c) == UTF8PROC_CATEGORY_MN;
  };
  const auto code = static_cast<utf8proc_int32_t>(character);
  utf8proc_int32_t parts[4];  // Unicode guarantees that no canonical decomposition is longer
  int boundary = 0;
  const auto count = utf8proc_decompose_char(code, parts, 4, UTF8PROC_DECOMPOSE, &boundary);
  std::u32string rest;
  for (int i = 0; i < count && !is_mark(code); ++i) {
    if (!is_mark(parts[i])) rest += static_cast<char32_t>(parts[i]);
  }
  return rest.empty() ? std::u32string{character} : rest;
}

}  // namespace gradus
