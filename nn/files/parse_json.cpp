#include "nn/files/parse_json.h"

#include <nlohmann/json.hpp>
#include <unordered_set>
#include <vector>

#include "autograd/check.h"

namespace gradus {
using namespace detail;

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
            " levels (use another file)");
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
}

Json parse_json(std::string_view text) {
  check_depth(text);
  std::vector<std::unordered_set<std::string>> keys;  // of the objects that enclose this value
  std::string last_key;
  const auto refuse_repeats = [&](int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key) {
      last_key = value;
      check(keys.back().insert(value).second, "the key ", quoted(value), " occurs twice");
    }
    return true;
  };
  try {
    return Json::parse(text, refuse_repeats);
  } catch (const Json::out_of_range&) {
    fail(quoted(last_key), " holds a number that is too large (doubles end at 1.8e308)");
  } catch (const Json::parse_error& error) {
    // Python writes numbers that JSON does not have.
    const std::string_view rest = text.substr(std::min(text.size(), error.byte - 1));
    check(!rest.starts_with("NaN") && !rest.starts_with("Infinity"), quoted(last_key),
          " must be finite, got NaN or infinity");
    fail("is not JSON (the file is damaged or not complete)");
  } catch (const Json::exception&) {
    fail("is not JSON (the file is damaged or not complete)");
  }
}

std::string quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace gradus
