#include "nn/text/tokenizer_json.h"

#include <nlohmann/json.hpp>
#include <unordered_set>
#include <vector>

#include "autograd/check.h"

namespace gradus {

using Json = nlohmann::json;

void check_depth(std::string_view json) {
  constexpr int kDeepest = 64;
  int depth = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (c == '"') in_string = !in_string;
    if (in_string) {
      at += c == '\\' ? 1 : 0;
    } else if (c == '[' || c == '{') {
      check(++depth <= kDeepest, "is JSON nested deeper than ", kDeepest,
            " levels, as no file of a model is (give another)");
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
}

Json parse_json(std::string_view text) {
  check_depth(text);
  std::vector<std::unordered_set<std::string>> keys;  // of the objects around this place
  const auto refuse_repeats = [&](int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(value).second) {
      fail("the key ", quoted(value), " stands there twice");
    }
    return true;
  };
  try {
    return Json::parse(text, refuse_repeats);
  } catch (const Json::exception&) {
    fail("is not JSON");
  }
}

void allow_keys(const Json& json, const std::set<std::string>& allowed) {
  for (const auto& [key, value] : json.items()) {
    check(allowed.contains(key), "has the unknown key ", quoted(key));
  }
}

std::string quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace gradus
