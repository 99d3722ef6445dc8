/// @file
/// Reads and checks values in untrusted JSON. Look up keys that may be missing with read_key(),
/// value() or at(): operator[] of a const object assumes that the key exists.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "autograd/check.h"
#include "autograd/scalar.h"
#include "nn/files/parse_json.h"
#include "nn/layers/feed_forward.h"
#include "nn/names.h"

namespace gradus {

/// @addtogroup files
/// @{

/// JSON whose keys keep their order.
using Json = nlohmann::ordered_json;

/// The shortest decimal number that reads back as this value: 0.2, where double(0.2f) prints
/// 0.20000000298.
inline double shortest(Scalar value) {
  std::array<char, 64> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return Json::parse(digits.data(), end).get<double>();
}

/// Returns a value in the form for messages, with at most 40 characters and "...".
inline std::string shown(const Json& value) {
  const std::string dump = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return dump.size() <= 40 ? dump : dump.substr(0, 40) + "...";
}

/// Reads the value of `key` into `out`.
/// @throws std::invalid_argument naming the key and its rule.
inline void read_value(const Json& value, const char* key, bool& out) {
  detail::check(value.is_boolean(), "\"", key, "\" must be true or false, got ", shown(value));
  out = value.get<bool>();
}

/// The same for a whole number that fits the type of `out`.
template <std::integral Integer>
void read_value(const Json& value, const char* key, Integer& out) {
  using Limits = std::numeric_limits<Integer>;
  const bool fits = value.is_number_unsigned()  ? std::in_range<Integer>(value.get<std::uint64_t>())
                    : value.is_number_integer() ? std::in_range<Integer>(value.get<std::int64_t>())
                                                : false;
  detail::check(fits, "\"", key, "\" must be a whole number from ", Limits::min(), " to ",
                Limits::max(), ", got ", shown(value));
  out = value.get<Integer>();
}

/// The same for any number. A number too large for the type of `out`, which would become infinite,
/// is an error.
template <std::floating_point Real>
void read_value(const Json& value, const char* key, Real& out) {
  constexpr Real kLargest = std::numeric_limits<Real>::max();
  const bool fits = value.is_number() && std::abs(value.get<double>()) <= double{kLargest};
  detail::check(fits, "\"", key, "\" must be a number between ", -kLargest, " and ", kLargest,
                ", got ", shown(value));
  out = value.get<Real>();
}

/// The same for an optional number; null: no number.
inline void read_value(const Json& value, const char* key, std::optional<double>& out) {
  out.reset();
  if (!value.is_null()) {
    read_value(value, key, out.emplace());
  }
}

/// The same for a name of an enum's value: see names_of().
template <class Enum>
requires std::is_enum_v<Enum>
void read_value(const Json& value, const char* key, Enum& out) {
  const bool known = value.is_string() && find_named(value.get<std::string>(), out);
  detail::check(known, "\"", key, "\" must be ", all_names(out), ", got ", shown(value));
}

/// The same for an activation. Hugging Face's other names for the same function are accepted.
inline void read_value(const Json& value, const char* key, Activation& out) {
  constexpr std::pair<const char*, Activation> kOtherNames[] = {
      {"gelu_pytorch_tanh", Activation::kGelu}, {"gelu_python_tanh", Activation::kGelu},
      {"gelu_fast", Activation::kGelu},         {"gelu_accurate", Activation::kGelu},
      {"gelu_python", Activation::kGeluErf},    {"swish", Activation::kSilu},
  };
  for (const auto& [name, activation] : kOtherNames) {
    if (value == name) {
      out = activation;
      return;
    }
  }
  read_value<Activation>(value, key, out);
}

/// Reads the value of `key` in an object.
/// @throws std::invalid_argument if it is missing or wrong.
template <class Value>
void read_key(const Json& json, const char* key, Value& out) {
  detail::check(json.contains(key), "the key \"", key, "\" is missing");
  read_value(json[key], key, out);
}

/// A key of a config that changes the model's result, and the only value that gradus supports.
using FixedKey = std::pair<const char*, Json>;

/// Checks the keys for which gradus supports only one value: a list for all models, and `more`. A
/// missing key passes, and so does null, unless the value must be true.
/// @throws std::invalid_argument naming the key, its value and the supported value.
void check_fixed_keys(const Json& json, std::initializer_list<FixedKey> more = {});

/// Reads a size of a model. 32 bits are enough, and the product of two sizes cannot overflow.
inline void read_size(const Json& json, const char* key, Index& out) {
  std::int32_t size = 0;
  read_key(json, key, size);
  out = size;
}

/// Parses an object, passes it to `read` and returns the result.
/// @throws std::runtime_error naming `source` and the error.
template <class Read>
auto read_object(std::string_view text, const std::string& source, Read read) {
  try {
    const Json json = parse_json(text);  // sorted keys, so that lookups stay fast
    detail::check(json.is_object(), "is not a JSON object");
    return read(json);
  } catch (const Json::exception& error) {
    throw std::runtime_error(source + ": is not JSON (the file is damaged or not complete)");
  } catch (const std::invalid_argument& error) {
    throw std::runtime_error(source + ": " + error.what());
  }
}

/// @}

}  // namespace gradus
