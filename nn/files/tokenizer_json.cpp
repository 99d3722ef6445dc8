#include "nn/files/tokenizer_json.h"

#include <nlohmann/json.hpp>
#include <unordered_set>
#include <vector>

#include "autograd/check.h"

namespace gradus {
using namespace detail;

using Json = nlohmann::json;

void allow_keys(const Json& json, const std::set<std::string>& allowed) {
  for (const auto& [key, value] : json.items()) {
    check(allowed.contains(key), "has the unknown key ", quoted(key));
  }
}

Json setting(const Json& part, const char* key) {
  return part.is_object() ? part.value(key, Json()) : Json();
}

void allow_only(const Json& part, const char* where, const char* key, const Json& allowed) {
  const Json value = setting(part, key);
  check(value.is_null() || value == allowed, where, " has ", key, " ", value.dump(),
        ", which is not supported (only ", allowed.dump(), ")");
}

namespace {

/// Adds a token from an object of numbers. The capacity is already reserved.
void add_number(NumberedTokens& all, const std::string& token, const Json& number) {
  const std::size_t count = all.tokens.size();
  check(number.is_number_unsigned() && number.get<std::uint64_t>() < count, "the numbers of ",
        count, " tokens must be 0 to ", count - 1, " without gaps, but token ", quoted(token),
        " has the number ", number.dump());
  std::string& place = all.tokens[number.get<std::size_t>()];
  check(!token.empty(), "token ", number.dump(), " is empty");
  check(place.empty() || place == token, "tokens ", quoted(place), " and ", quoted(token),
        " have the same number ", number.dump());
  place = token;
  all.numbers.emplace(token, number.get<std::int32_t>());
}

bool read_flag(const Json& entry, const AddedToken& token, const char* key) {
  const Json value = setting(entry, key);
  check(value.is_null() || value.is_boolean(), "the added token ", quoted(token.content), " has ",
        key, " ", value.dump(), ", which is neither true nor false");
  return value == true;
}

AddedToken read_added(const Json& entry) {
  check(entry.is_object() && setting(entry, "content").is_string() && entry["content"] != "",
        "an added token has no string \"content\"");
  AddedToken token{.content = entry["content"].get<std::string>()};
  token.special = read_flag(entry, token, "special");
  token.single_word = read_flag(entry, token, "single_word");
  token.left_strip = read_flag(entry, token, "lstrip");
  token.right_strip = read_flag(entry, token, "rstrip");
  token.normalized = read_flag(entry, token, "normalized");
  return token;
}

using Ordered = nlohmann::ordered_json;

/// Returns a special token's part of a template, in the form of TemplateProcessing.
Ordered special_part(const char* token, int text) {
  return {{"SpecialToken", {{"id", token}, {"type_id", text}}}};
}
Ordered text_part(const char* name, int text) {
  return {{"Sequence", {{"id", name}, {"type_id", text}}}};
}
Ordered frame_of_one() {
  return Ordered::array({special_part("[CLS]", 0), text_part("A", 0), special_part("[SEP]", 0)});
}

}  // namespace

Ordered bert_framing(std::int32_t cls, std::int32_t sep) {
  const auto numbered = [](const char* token, std::int32_t number) {
    return Ordered{
        {"id", token}, {"ids", Ordered::array({number})}, {"tokens", Ordered::array({token})}};
  };
  Ordered json = {{"type", "TemplateProcessing"}, {"single", frame_of_one()}};
  json["pair"] = frame_of_one();
  json["pair"].push_back(text_part("B", 1));
  json["pair"].push_back(special_part("[SEP]", 1));
  json["special_tokens"] = {{"[CLS]", numbered("[CLS]", cls)}, {"[SEP]", numbered("[SEP]", sep)}};
  return json;
}

bool is_bert_framing(const Json& part) {
  const Json type = setting(part, "type");
  return type == "BertProcessing" ||
         (type == "TemplateProcessing" && setting(part, "single") == Json(frame_of_one()));
}

std::optional<std::int32_t> begin_of(const Json& post_processor, std::size_t vocab_size) {
  Json parts = setting(post_processor, "processors");
  if (!parts.is_array()) parts = Json::array({post_processor});
  for (const Json& part : parts) {
    const Json single = setting(part, "single");
    if (is_bert_framing(part) || !single.is_array() || single.empty()) continue;
    const Json name = setting(setting(single[0], "SpecialToken"), "id");
    if (!name.is_string()) continue;
    const Json token =
        setting(setting(part, "special_tokens"), name.get_ref<const std::string&>().c_str());
    const Json numbers = setting(token, "ids");
    const bool is_token = numbers.is_array() && numbers.size() == 1 &&
                          numbers[0].is_number_unsigned() &&
                          numbers[0].get<std::uint64_t>() < vocab_size;
    check(is_token, "post_processor puts ", name.dump(),
          " before a text, and its \"ids\" must be one token below ", vocab_size, ", got ",
          numbers.dump());
    return numbers[0].get<std::int32_t>();
  }
  return std::nullopt;
}

NumberedTokens numbered_tokens(const Json& vocabulary) {
  NumberedTokens all;
  all.tokens.resize(vocabulary.size());
  for (const auto& [token, number] : vocabulary.items()) add_number(all, token, number);
  return all;
}

NumberedTokens all_tokens(const Json& json) {
  const Json& model = json["model"];
  check(model.contains("vocab") && model["vocab"].is_object(), "model has no object \"vocab\"");
  const Json& vocabulary = model["vocab"];
  const Json added = json.value("added_tokens", Json::array());
  check(added.is_array(), "added_tokens is not a list");
  NumberedTokens all;
  std::set<std::string> seen;
  std::size_t count = vocabulary.size();
  for (const Json& entry : added) {
    const AddedToken token = read_added(entry);
    check(seen.insert(token.content).second, "the added token ", quoted(token.content),
          " occurs twice");
    if (token.special) all.specials.insert(token.content);
    count += !vocabulary.contains(token.content);
    all.added.push_back(token);
  }
  all.tokens.resize(count);
  for (const auto& [token, number] : vocabulary.items()) add_number(all, token, number);
  for (const Json& entry : added) {
    const std::string token = entry["content"].get<std::string>();
    const Json number = setting(entry, "id");
    check(!vocabulary.contains(token) || vocabulary[token] == number, "the added token ",
          quoted(token), " has two numbers, ", number.dump(), " and ",
          vocabulary.value(token, Json()).dump());
    add_number(all, token, number);
  }
  for (AddedToken& token : all.added) token.number = all.numbers.at(token.content);
  return all;
}

void require_plain_specials(const std::vector<AddedToken>& added) {
  for (const AddedToken& token : added) {
    const std::string name = "the added token " + quoted(token.content);
    check(token.special, name, " is not special, which is not supported");
    for (const auto& [key, value] :
         {std::pair("single_word", token.single_word), std::pair("lstrip", token.left_strip),
          std::pair("rstrip", token.right_strip)}) {
      check(!value, name, " has ", key, " true, which is not supported (only false)");
    }
  }
}

WrittenMerge split_merge(const std::string& line, std::size_t merge) {
  const std::size_t blank = line.find(' ');
  const bool is_pair = blank != std::string::npos && blank > 0 && blank + 1 < line.size() &&
                       line.find(' ', blank + 1) == std::string::npos;
  check(is_pair, "merge ", merge, " must be two tokens with one blank between them, got ",
        quoted(line));
  return {line.substr(0, blank), line.substr(blank + 1)};
}

WrittenMerge read_merge(const Json& json, std::size_t merge) {
  if (json.is_string()) return split_merge(json.get_ref<const std::string&>(), merge);
  const bool is_pair =
      json.is_array() && json.size() == 2 && json[0].is_string() && json[1].is_string();
  check(is_pair, "merge ", merge, " is neither a string nor a list of two strings");
  return {json[0].get<std::string>(), json[1].get<std::string>()};
}

nlohmann::ordered_json added_token(const std::string& content, std::int32_t number) {
  return {{"id", number},    {"content", content},  {"single_word", false}, {"lstrip", false},
          {"rstrip", false}, {"normalized", false}, {"special", true}};
}

}  // namespace gradus
