/// @file
/// The pieces that GPT-2 first cuts a text into: byte-pair encoding never merges across them.
#pragma once

#include <functional>
#include <string_view>

namespace gradus {

/// @addtogroup text
/// @{

/// Cuts a text as GPT-2 does (Radford et al., 2019) and visits the pieces in order; together they
/// are the text. A piece is the end of a contraction ('s, 't, 're, 've, 'm, 'll, 'd), or a run of
/// letters, of digits or of other characters, each with the blank before it, or a run of white
/// space, except a blank that belongs to the next piece:
///
/// Accepts any bytes: a text is first split at invalid UTF-8. Each run of invalid bytes is one
/// piece, and the parts between them are cut as separate texts.
/// @code
/// std::vector<std::string> pieces;
/// for_each_pretoken("I'm 24  now", [&](std::string_view piece) { pieces.emplace_back(piece); });
/// pieces;  // ["I", "'m", " 24", " ", " now"]
/// @endcode
void for_each_pretoken(std::string_view text, const std::function<void(std::string_view)>& visit);

/// @}

}  // namespace gradus
