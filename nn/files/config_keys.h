/// @file
/// The keys of a config of another program, each of which must be used, without effect, or refused.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "nn/files/json_values.h"

namespace gradus {

/// @addtogroup files
/// @{

/// The keys of one config. Reading a key also marks it as known.
/// @code
/// const Json json = Json::parse("{\"r\": 4, \"bias\": \"none\"}");
/// ConfigKeys keys(json, {"bias"});
/// Index rank = 0;
/// keys.size("r", rank);
/// keys.end("");  // no other key is there
/// rank;  // 4
/// @endcode
class ConfigKeys {
 public:
  /// The keys of an object, which must outlive this. The keys in `known` may have any value.
  explicit ConfigKeys(const Json& json, std::set<std::string> known = {})
      : json_(json), known_(std::move(known)) {}

  /// Whether the key is there and not null.
  bool has(const char* key) {
    known_.insert(key);
    return json_.contains(key) && !json_[key].is_null();
  }
  /// Whether the key is not there at all: null is a value.
  bool is_missing(const char* key) const { return !json_.contains(key); }
  /// Reads a key that must be there.
  template <class Value>
  void require(const char* key, Value& out) {
    known_.insert(key);
    read_key(json_, key, out);
  }
  /// Reads a key that may be missing or null.
  template <class Value>
  void read(const char* key, Value& out) {
    if (has(key)) read_value(json_[key], key, out);
  }
  /// The same for a size, from 1 to `most`.
  void size(const char* key, Index& out, Index most = 1 << 24) {
    Index value = 0;
    if (!has(key)) return;
    read_value(json_[key], key, value);
    detail::check(value >= 1 && value <= most, "\"", key, "\" must be from 1 to ", most, ", got ",
                  value);
    out = value;
  }
  /// The same for a size that must be there.
  void required_size(const char* key, Index& out, Index most = 1 << 24) {
    detail::check(has(key), "the key \"", key, "\" is missing");
    size(key, out, most);
  }
  /// Reads a size from 1 to 65536 that may be missing or null.
  void size(const char* key, int& out) {
    Index value = out;
    size(key, value, 65536);
    out = static_cast<int>(value);
  }
  /// The same for a size that must be there.
  void required_size(const char* key, int& out) {
    detail::check(has(key), "the key \"", key, "\" is missing");
    size(key, out);
  }
  /// Refuses every value but this one; the key may be missing or null.
  void only(const char* key, const Json& value) {
    detail::check(!has(key) || json_[key] == value, "\"", key, "\" must be ", value.dump(),
                  ", got ", shown(json_.value(key, Json())),
                  " (gradus supports no other value: use another model)");
  }
  /// The value of a key that is there.
  const Json& operator[](const char* key) {
    known_.insert(key);
    return json_[key];
  }
  /// Refuses the keys that nothing has read.
  void end(const char* where) {
    for (const auto& [key, value] : json_.items()) {
      detail::check(known_.contains(key), "the key ", quoted(key), where,
                    " is unknown, and its value may change the model's results, got ", shown(value),
                    " (remove the key if it has no effect)");
    }
  }

 private:
  const Json& json_;
  std::set<std::string> known_;
};

/// @}

}  // namespace gradus
