/// @file
/// Text for users, in the width of their terminal.
#pragma once

#include <string>
#include <string_view>

namespace gradus {

/// The columns that help is written in: those of the terminal that standard output is, from 40 to
/// 100; 80 elsewhere.
std::size_t help_width();

/// Words in lines of at most `width` columns, those after the first indented; longer words stand
/// alone. Without an end of line.
std::string wrapped(std::string_view words, std::size_t width, std::size_t indent);

/// Paragraphs to this width. Lines that begin with a blank, such as commands, and empty lines stay
/// as they are.
std::string reflowed(std::string_view text, std::size_t width);

/// A text in which commands are written `gradus COMMAND`, as they have to be typed here:
/// `./run COMMAND`.
std::string as_called(std::string text);

}  // namespace gradus
