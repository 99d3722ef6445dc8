/// @file
/// Where byte-pair encoding may not merge across: the pieces that GPT-2 cuts a text into first.
#pragma once

#include <functional>
#include <string_view>

namespace gradus {

/// @addtogroup text
/// @{

/// Cuts a text as GPT-2 does (Radford et al., 2019) and visits the pieces in order; together they
/// are the text. A piece is a contraction's end ('s, 't, 're, 've, 'm, 'll, 'd), a run of letters,
/// of digits, or of other characters, each with the blank before it, or a run of white space but
/// for the blank that goes to the next piece:
///
///     's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
///
///     for_each_pretoken("I'm 24  now", visit);   // "I", "'m", " 24", " ", " now"
///
/// Any bytes will do: a text is cut at what is not UTF-8 first, each run of such bytes is a piece
/// by itself, and the texts in between are taken as if each stood alone.
void for_each_pretoken(std::string_view text, const std::function<void(std::string_view)>& visit);

/// @}

}  // namespace gradus
