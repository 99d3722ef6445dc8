/// @file
/// Writes bytes as printable characters, as in GPT-2's files (Radford et al., 2019).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace gradus {

/// @addtogroup text
/// @{

/// All 256 bytes in GPT-2's order: first the printable characters, 33 to 126, 161 to 172 and 174 to
/// 255, then the other bytes, which are written as U+0100 and up.
const std::array<unsigned char, 256>& byte_level_order();

/// Writes each byte as one printable character: `to_byte_level(" h\n") == "ĠhĊ"`.
std::string to_byte_level(std::string_view bytes);

/// The inverse: returns the bytes, or nothing if a character represents no byte or the text is not
/// UTF-8.
std::optional<std::string> from_byte_level(std::string_view text);

/// @}

}  // namespace gradus
