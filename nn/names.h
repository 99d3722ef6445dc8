/// @file
/// Finds values of enums and fields of configs by their names in files and flags. Each enum has a
/// function names_of() next to it, and each config a function fields().
#pragma once

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

namespace gradus {

/// @addtogroup modules
/// @{

/// Returns the name of a value.
template <class Enum>
const char* name_of(Enum value) {
  return names_of(value)[static_cast<std::size_t>(value)];
}

/// Returns all names of an enum as a list for an error message: `"char", "byte" or "bpe"`.
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

/// Sets `value` to the value with this name. Returns false if there is none.
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

/// Calls visit(name, value) for each field of a config, in the order of its `fields`, which a
/// config has as a module does (module.h). A constant config gives constant values. Files and
/// comparisons of configs are derived from it.
template <class Config, class Visit>
void visit_fields(Config& config, Visit&& visit) {
  // `fields` changes no member; a second, constant `fields` would only repeat the first.
  const_cast<std::remove_const_t<Config>&>(config).fields(
      [&]<class Value>(const char* name, Value& value) {
        using Field = std::conditional_t<std::is_const_v<Config>, const Value, Value>;
        visit(name, static_cast<Field&>(value));
      });
}

/// @}

}  // namespace gradus
