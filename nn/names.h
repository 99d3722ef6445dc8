/// @file
/// Enums by name, as in files and flags. Each enum has a function names_of() next to it.
#pragma once

#include <algorithm>
#include <string>

namespace gradus {

/// @addtogroup modules
/// @{

/// A value's name.
template <class Enum>
const char* name_of(Enum value) {
  return names_of(value)[static_cast<std::size_t>(value)];
}

/// All names of an enum, as an error message lists them: `"char", "byte" or "bpe"`.
template <class Enum>
std::string all_names(Enum value) {
  const auto names = names_of(value);
  std::string all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    all += (i == 0                 ? ""
            : i + 1 < names.size() ? ", "
                                   : " or ") +
           ('"' + std::string(names[i]) + '"');
  }
  return all;
}

/// Finds the value with this name. False if there is none.
template <class Enum>
bool find_named(const std::string& name, Enum& value) {
  const auto names = names_of(value);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    return false;
  }
  value = static_cast<Enum>(found - names.begin());
  return true;
}

/// @}

}  // namespace gradus
