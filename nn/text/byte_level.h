/// @file
/// Bytes as printable characters, as GPT-2's files write them (Radford et al., 2019).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace gradus {

/// @addtogroup text
/// @{

/// All 256 bytes in the order in which GPT-2 numbers them: first those that print as themselves, 33
/// to 126, 161 to 172 and 174 to 255, then the others, which are written as U+0100 and on.
const std::array<unsigned char, 256>& byte_level_order();

/// Bytes with each as one printable character: `to_byte_level(" h\n") == "ĠhĊ"`.
std::string to_byte_level(std::string_view bytes);

/// The bytes that were written so; nothing if a character stands for no byte, or this is not UTF-8.
std::optional<std::string> from_byte_level(std::string_view text);

/// @}

}  // namespace gradus
