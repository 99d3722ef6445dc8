/// @file
/// The JSON header of a .safetensors file, for safetensors.cpp. safetensors.h describes the format.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "autograd/check.h"

namespace gradus {

/// @addtogroup safetensors
/// @{

/// A tensor's entry in the header.
struct SafetensorsEntry {
  std::string name;                    ///< the tensor's name
  std::string dtype;                   ///< such as "F32"
  std::vector<std::uint64_t> shape;    ///< the sizes of its axes
  std::vector<std::uint64_t> offsets;  ///< begin and end in the data
};

/// The contents of the header.
struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;        ///< in data order
  std::map<std::string, std::string> metadata;  ///< strings that the writing program added
};

/// The largest header, in bytes, as in the reference implementation.
inline constexpr std::uint64_t kMaxSafetensorsHeader = 100'000'000;

/// Parses a header and returns the entries in data order. Checks that they fill `data_size` bytes
/// without gaps or overlaps. The caller must check that dtype and shape fit the bytes of an entry.
/// @throws std::runtime_error naming the file and the error.
SafetensorsHeader parse_safetensors_header(const std::string& path, const std::string& json_text,
                                           std::uint64_t data_size);

/// Returns the text of a header, padded with spaces so that the data begins at a multiple of 8
/// bytes.
/// @throws std::invalid_argument if a name occurs twice, is reserved, or is not UTF-8.
std::string format_safetensors_header(const SafetensorsHeader& header);

/// Makes a name from a file safe for a message: quoted, shortened, without control characters.
std::string quoted_name(const std::string& name);

/// The end of many messages: the probable cause.
inline constexpr const char* kDamaged = " (the file is damaged or not complete)";

/// Throws std::runtime_error with the message `path: parts`.
template <class... Parts>
[[noreturn]] void fail_for_file(const std::string& path, const Parts&... parts) {
  throw std::runtime_error(detail::text(path, ": ", parts...));
}

/// @}

}  // namespace gradus
