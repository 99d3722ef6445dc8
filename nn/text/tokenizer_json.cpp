#include "nn/text/tokenizer_json.h"

#include <nlohmann/json.hpp>
#include <unordered_set>
#include <vector>

#include "autograd/check.h"

namespace gradus {

using Json = nlohmann::json;

Json parse_json(std::string_view text) {
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
