/// @file
/// Reads texts for the commands.
#pragma once

#include <string>
#include <vector>

#include "nn/data/corpus.h"

namespace gradus {

/// The flag that keeps CR LF line ends, and its help.
inline constexpr const char* kKeepCrlf = "--keep_crlf";
inline constexpr const char* kKeepCrlfHelp = "keep CR LF line ends; by default they are read as LF";

/// Returns these names of texts, or the name of the bundled tales if there is none.
std::vector<std::string> or_default_text(const std::vector<std::string>& names);

/// Reads these texts, or the bundled tales if there is no name. Replaces CR LF line ends by LF,
/// with a note on standard error, unless `keep_crlf`.
Text read_texts(const std::vector<std::string>& names, bool keep_crlf = false);

/// Prints a note with the number of folded line ends, if there are any.
void note_folded(const std::string& name, std::size_t line_ends);

}  // namespace gradus
