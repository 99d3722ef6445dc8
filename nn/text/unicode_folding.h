/// @file
/// Characters in lower case and without accents, one at a time: no rule here looks at neighbours
/// (a final sigma is an ordinary one).
#pragma once

#include <string>

namespace gradus {

/// @addtogroup text
/// @{

/// The character in lower case by Unicode's full mapping, which is two characters for U+0130: i and
/// a dot above.
std::u32string lower_case(char32_t character);

/// What remains of a character when its canonical decomposition loses its non-spacing marks: é is
/// e, ё is е, and a Hangul syllable its two or three jamo. A mark on its own stays.
std::u32string without_accents(char32_t character);

/// @}

}  // namespace gradus
