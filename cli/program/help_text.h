/// @file
/// Wraps text for users to the width of their terminal.
#pragma once

#include <string>
#include <string_view>

namespace gradus {

/// The width of help in columns: on a terminal its width, but at least 40 and at most 100;
/// elsewhere 80.
std::size_t help_width();

/// Breaks words into lines of at most `width` columns, and indents all lines after the first. A
/// longer word stands alone. The last line has no line end.
std::string wrapped(std::string_view words, std::size_t width, std::size_t indent);

/// Wraps paragraphs to this width. Lines that begin with a blank, such as commands, and empty lines
/// stay unchanged.
std::string reflowed(std::string_view text, std::size_t width);

/// Replaces each `gradus COMMAND` in a text by the command to type here, such as `./run COMMAND`.
std::string as_called(std::string text);

}  // namespace gradus
