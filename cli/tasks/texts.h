/// @file
/// Texts as the commands read them.
#pragma once

#include <string>
#include <vector>

#include "nn/data/corpus.h"

namespace gradus {

/// The flag of the commands that read texts, and its help.
inline constexpr const char* kKeepCrlf = "--keep_crlf";
inline constexpr const char* kKeepCrlfHelp = "keep CR LF line ends; by default they are read as LF";

/// The bundled text that is read if none is named.
inline constexpr const char* kDefaultText = "tales";

/// Reads these texts, or the bundled tales if none is named. Unless line ends CR LF are to be kept
/// they become LF, which is said once on standard error.
Text read_texts(const std::vector<std::string>& names, bool keep_crlf = false);

/// Says on standard error that so many line ends were folded, if there are any.
void note_folded(const std::string& name, std::size_t line_ends);

}  // namespace gradus
