/// @file
/// The JSON header of a .safetensors file: for safetensors.cpp, which describes the format.
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

/// One tensor as the header describes it.
struct SafetensorsEntry {
  std::string name;                    ///< the tensor's
  std::string dtype;                   ///< such as "F32"
  std::vector<std::uint64_t> shape;    ///< the sizes of its axes
  std::vector<std::uint64_t> offsets;  ///< begin and end in the data
};

/// What the header says.
struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;        ///< in the order of their data
  std::map<std::string, std::string> metadata;  ///< whatever the writer noted
};

/// The reference implementation's limit, in bytes.
inline constexpr std::uint64_t kMaxSafetensorsHeader = 100'000'000;

/// Reads a header's text. The entries come in the order of their data, and what they say about its
/// layout is known to be right: they fill `data_size` bytes without gaps or overlaps. That dtype
/// and shape fit these bytes remains to be checked.
/// @throws std::runtime_error naming the file and what is wrong.
SafetensorsHeader parse_safetensors_header(const std::string& path, const std::string& json_text,
                                           std::uint64_t data_size);

/// The text of a header, padded with spaces so that the data after it begins at a multiple of 8.
/// @throws std::invalid_argument if a name occurs twice, is reserved, or is not UTF-8.
std::string format_safetensors_header(const SafetensorsHeader& header);

/// A name out of a file, fit for a message: quoted, cut short, without control characters.
std::string quoted_name(const std::string& name);

/// Follows from what is wrong with a file, at the end of many messages.
inline constexpr const char* kDamaged = " (the file is damaged or not complete)";

/// Reports trouble with a file: throws std::runtime_error `path: parts`.
template <class... Parts>
[[noreturn]] void fail_for_file(const std::string& path, const Parts&... parts) {
  throw std::runtime_error(text(path, ": ", parts...));
}

/// @}

}  // namespace gradus
