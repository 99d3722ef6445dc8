/// @file
/// Properties of characters, and conversions from Unicode's tables: lower case, texts without
/// accents, composed texts. Lower case depends on no neighbour: a final sigma is treated like any
/// other sigma.
#pragma once

#include <string>
#include <string_view>

namespace gradus {

/// @addtogroup text
/// @{

/// Returns the character in lower case, with Unicode's full mapping. U+0130 becomes two characters:
/// i and a dot above.
std::u32string lower_case(char32_t character);

/// Returns the canonical decomposition of a character without its non-spacing marks: é becomes e, ё
/// becomes е, and a Hangul syllable becomes its two or three jamo. A single mark stays.
std::u32string without_accents(char32_t character);

/// Whether a character is white space.
bool is_white_space(char32_t character);

/// Whether a character is part of a word in regular expressions: a letter, mark, digit or
/// connector.
bool is_word_character(char32_t character);

/// Returns a text in Unicode's normal form C: e and an accent become é. The text must be UTF-8.
std::string composed(std::string_view text);

/// @}

}  // namespace gradus
