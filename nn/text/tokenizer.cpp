#include "nn/text/tokenizer.h"

#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "autograd/check.h"
#include "nn/text/byte_tokenizer.h"
#include "nn/text/char_tokenizer.h"
#include "nn/text/file.h"
#include "nn/text/utf8.h"

namespace gradus {
namespace {

using Json = nlohmann::json;

// Every character of Unicode in one vocabulary makes a file of under 8 MB.
constexpr std::size_t kLargestFile = std::size_t{16} << 20;

Json parse(std::string_view text) {
  std::set<std::string> keys;
  const auto refuse_repeats = [&](int depth, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::key && depth == 1 && !keys.insert(value).second) {
      fail("the key ", value.dump(), " stands there twice");
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
    check(allowed.contains(key), "has the unknown key ", Json(key).dump());
  }
}

char32_t one_character(const Json& entry, std::size_t token) {
  check(entry.is_string(), "token ", token, " is no string");
  const std::u32string characters = utf8_decode(entry.get_ref<const std::string&>());
  check(characters.size() == 1, "token ", token, " has ", characters.size(),
        " characters, where a char tokenizer's have one");
  return characters[0];
}

CharTokenizer read_char_tokenizer(const Json& json) {
  allow_keys(json, {"type", "vocab"});
  check(json.contains("vocab") && json["vocab"].is_array(), "has no list \"vocab\"");
  std::u32string vocabulary;
  for (const Json& entry : json["vocab"]) {
    vocabulary += one_character(entry, vocabulary.size());
  }
  return CharTokenizer(std::move(vocabulary));
}

std::unique_ptr<Tokenizer> read_tokenizer(std::string_view text) {
  const Json json = parse(text);
  check(json.is_object(), "is not a JSON object");
  check(json.contains("type") && json["type"].is_string(), "has no string \"type\"");
  const std::string& type = json["type"].get_ref<const std::string&>();
  if (type == "char") return std::make_unique<CharTokenizer>(read_char_tokenizer(json));
  if (type == "byte") {
    allow_keys(json, {"type"});
    return std::make_unique<ByteTokenizer>();
  }
  fail("is of the unknown type ", json["type"].dump(), " (known are \"char\" and \"byte\")");
}

}  // namespace

void Tokenizer::check_token(std::int32_t token) const {
  if (token < 0 || token >= vocab_size()) {
    fail(name(), " tokenizer: token ", token, " is outside the vocabulary of ", vocab_size());
  }
}

std::unique_ptr<Tokenizer> tokenizer_from_json(std::string_view json, const std::string& source) {
  try {
    return read_tokenizer(json);
  } catch (const std::invalid_argument& error) {
    throw std::runtime_error(source + ": not a tokenizer: " + error.what());
  }
}

void save_tokenizer(const Tokenizer& tokenizer, const std::filesystem::path& folder) {
  write_file((folder / kTokenizerFile).string(), tokenizer.to_json() + "\n");
}

std::unique_ptr<Tokenizer> load_tokenizer(const std::filesystem::path& folder) {
  const std::string name = (folder / kTokenizerFile).string();
  return tokenizer_from_json(read_file(name, kLargestFile), name);
}

}  // namespace gradus
