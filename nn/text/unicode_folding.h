/// @file
/// Converts characters to lower case and removes accents, one character at a time. No rule depends
/// on neighbours: a final sigma is treated like any other sigma.
#pragma once

#include <string>

namespace gradus {

/// @addtogroup text
/// @{

/// Returns the character in lower case, with Unicode's full mapping. U+0130 becomes two characters:
/// i and a dot above.
std::u32string lower_case(char32_t character);

/// Returns the canonical decomposition of a character without its non-spacing marks: é becomes e, ё
/// becomes е, and a Hangul syllable becomes its two or three jamo. A single mark stays.
std::u32string without_accents(char32_t character);

/// @}

}  // namespace gradus
