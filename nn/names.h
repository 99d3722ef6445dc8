/// @file
/// Values of enums and fields of configs by name, as in files and flags. Each enum has a function
/// names_of() next to it, each config a function fields().
#pragma once

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

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

/// Calls visit(name, value) for each field of a config, which names them in `fields` as a module
/// does (module.h); of a constant config with constant values. Files and comparisons follow from
/// it.
template <class Config, class Visit>
void visit_fields(Config& config, Visit&& visit) {
  // `fields` names the members and changes none: a second one for constant configs would repeat it.
  const_cast<std::remove_const_t<Config>&>(config).fields(
      [&]<class Value>(const char* name, Value& value) {
        using Field = std::conditional_t<std::is_const_v<Config>, const Value, Value>;
        visit(name, static_cast<Field&>(value));
      });
}

/// @}

}  // namespace gradus
