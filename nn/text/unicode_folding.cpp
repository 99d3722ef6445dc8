#include "nn/text/unicode_folding.h"

#include <utf8proc.h>

#include <cstdlib>
#include <memory>
#include <new>

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

bool is_white_space(char32_t character) {
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(character));
  return (character >= 0x9 && character <= 0xd) || character == 0x85 ||
         category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
         category == UTF8PROC_CATEGORY_ZP;
}

bool is_word_character(char32_t character) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(character))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_PC:
      return true;
    default:
      return false;
  }
}

std::string composed(std::string_view text) {
  utf8proc_uint8_t* out = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &out,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(out, &std::free);
  if (size < 0) throw std::bad_alloc();  // the only error for UTF-8
  return {reinterpret_cast<const char*>(out), static_cast<std::size_t>(size)};
}

}  // namespace gradus
