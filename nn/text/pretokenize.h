/// @file
/// Cuts a text into GPT-2's pieces. Byte-pair encoding never merges across pieces.
#pragma once

#include <functional>
#include <string_view>

namespace gradus {

/// @addtogroup text
/// @{

/// Cuts a text as GPT-2 does (Radford et al., 2019) and visits the pieces in order. Together the
/// pieces are the text. A piece is the end of a contraction ('s, 't, 're, 've, 'm, 'll, 'd), or a
/// run of letters, of digits or of other characters, each with a blank before it if there is one,
/// or a run of white space without the blank that belongs to the next piece.
///
/// Accepts any bytes. Each run of bytes that are not valid UTF-8 is one piece, and the parts
/// between these runs are cut as separate texts.
/// @code
/// std::vector<std::string> pieces;
/// for_each_pretoken("I'm 24  now", [&](std::string_view piece) { pieces.emplace_back(piece); });
/// pieces;  // ["I", "'m", " 24", " ", " now"]
/// @endcode
void for_each_pretoken(std::string_view text, const std::function<void(std::string_view)>& visit);

/// @}

}  // namespace gradus
