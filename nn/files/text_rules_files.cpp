#include "nn/files/text_rules_files.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "autograd/check.h"
#include "nn/files/file_names.h"
#include "nn/files/json_values.h"
#include "nn/files/read_model_file.h"
#include "nn/files/word_piece_files.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

constexpr const char* kEnds = "eos_token_id";
constexpr const char* kTemplate = "chat_template";

/// The text of a token in tokenizer_config.json: a string, or an object with the string "content".
std::optional<std::string> token_text(const Json& value) {
  const Json text = value.is_object() ? value.value("content", Json()) : value;
  return text.is_string() ? std::optional(text.get<std::string>()) : std::nullopt;
}

/// The token with this text. Special tokens come before others.
std::optional<std::int32_t> find_token(const Tokenizer& tokenizer, const std::string& text) {
  std::optional<std::int32_t> found;
  for (std::int32_t token = 0; token < tokenizer.vocab_size(); ++token) {
    if (tokenizer.piece(token) != text) continue;
    if (tokenizer.is_special(token)) return token;
    if (!found) found = token;
  }
  return found;
}

/// The begin token according to tokenizer_config.json.
std::optional<std::int32_t> configured_begin(const Json& config, const Tokenizer& tokenizer) {
  const Json adds = config.value("add_bos_token", Json()),
             kind = config.value("tokenizer_class", Json());
  const bool is_llama = kind == "LlamaTokenizer" || kind == "LlamaTokenizerFast";
  if (adds.is_null() && !is_llama) return tokenizer.begin_token();
  bool has_begin = true;
  if (!adds.is_null()) read_value(adds, "add_bos_token", has_begin);
  if (!has_begin) return std::nullopt;
  const bool by_default = is_llama && !config.contains("bos_token");
  const std::optional<std::string> text = by_default
                                              ? std::optional<std::string>("<s>")
                                              : token_text(config.value("bos_token", Json()));
  check(text.has_value(),
        "\"bos_token\" must be a token, as add_bos_token puts it before each text, got ",
        shown(config.value("bos_token", Json())));
  const std::optional<std::int32_t> token = find_token(tokenizer, *text);
  check(token.has_value(),
        "\"bos_token\" must be a token of the tokenizer, as add_bos_token puts it before each ",
        "text, got ", quoted(*text));
  return token;
}

/// The template: a string, or in a list of templates that with the name "default".
std::string template_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return "";
  for (const Json& one : value) {
    if (one.is_object() && one.value("name", Json()) == "default" &&
        one.value("template", Json()).is_string()) {
      return one["template"].get<std::string>();
    }
  }
  return "";
}

/// The end tokens: a number or a list of numbers.
std::vector<std::int32_t> read_ends(const Json& value, const Tokenizer& tokenizer) {
  std::vector<std::int32_t> ends;
  for (const Json& one : value.is_array() ? value : Json::array({value})) {
    std::int64_t number = 0;
    read_value(one, kEnds, number);
    if (number >= 0 && number < tokenizer.vocab_size()) {
      ends.push_back(static_cast<std::int32_t>(number));
    }
  }
  return ends;
}

}  // namespace

std::shared_ptr<const TextRules> load_text_rules(const fs::path& folder,
                                                 const Tokenizer& tokenizer) {
  TextRules rules;
  for (const char* name : {kTokenizerConfigFile, kGenerationConfigFile, kChatTemplateFile}) {
    const fs::path file = folder / name;
    if (fs::exists(file))
      rules.files[name] = read_model_file(file.string(), kLargestJson, "a text");
  }
  const auto read = [&](const char* name, const std::string& text, const auto& use) {
    read_object(text, (folder / name).string(), use);
  };
  std::optional<std::string> end_text;
  rules.begin = tokenizer.begin_token();
  if (rules.files.contains(kTokenizerConfigFile)) {
    read(kTokenizerConfigFile, rules.files[kTokenizerConfigFile], [&](const Json& config) {
      rules.begin = configured_begin(config, tokenizer);
      rules.chat_template = template_of(config.value(kTemplate, Json()));
      for (const auto& [key, value] : config.items()) {
        const std::optional<std::string> text = token_text(value);
        if (key.ends_with("_token") && text) rules.names[key] = *text;
      }
    });
    rules.chat_file = (folder / kTokenizerConfigFile).string();
    if (const auto found = rules.names.find("eos_token"); found != rules.names.end()) {
      end_text = found->second;
    }
  }
  if (const auto found = rules.files.find(kChatTemplateFile); found != rules.files.end()) {
    rules.chat_template = found->second;
    rules.chat_file = (folder / kChatTemplateFile).string();
  }
  Json ends;
  if (rules.files.contains(kGenerationConfigFile)) {
    read(kGenerationConfigFile, rules.files[kGenerationConfigFile], [&](const Json& config) {
      ends = config.value(kEnds, Json());
      rules.ends = ends.is_null() ? rules.ends : read_ends(ends, tokenizer);
    });
  }
  if (ends.is_null() && fs::exists(folder / kConfigFile)) {
    const std::string text = read_model_file((folder / kConfigFile).string(), kLargestJson);
    read(kConfigFile, text, [&](const Json& config) {
      ends = config.value(kEnds, Json());
      if (ends.is_null()) return;
      rules.ends = read_ends(ends, tokenizer);
      if (!rules.files.contains(kGenerationConfigFile)) {
        rules.files[kGenerationConfigFile] = Json{{kEnds, ends}}.dump(2) + "\n";
      }
    });
  }
  if (ends.is_null() && end_text) {
    if (const auto token = find_token(tokenizer, *end_text)) rules.ends = {*token};
  }
  if (rules.files.empty() && !rules.begin) return nullptr;
  return std::make_shared<const TextRules>(std::move(rules));
}

}  // namespace gradus
