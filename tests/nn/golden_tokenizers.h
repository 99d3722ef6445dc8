/// @file
/// The small tokenizers of Hugging Face's folders in golden/hf_tokenizers.json.
#pragma once

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace gradus {

/// The fixture.
inline const nlohmann::json& golden_tokenizers() {
  static const nlohmann::json json =
      nlohmann::json::parse(std::ifstream(GRADUS_GOLDEN_DIR "/hf_tokenizers.json"));
  return json;
}

/// The tokenizer.json of a case.
inline nlohmann::json golden_tokenizer(const std::string& name) {
  for (const nlohmann::json& one : golden_tokenizers().at("cases")) {
    if (one.at("name") == name) return one.at("tokenizer");
  }
  throw std::invalid_argument(name);
}

/// The same with more special tokens, numbered after all others.
inline nlohmann::json with_special_tokens(nlohmann::json tokenizer,
                                          const nlohmann::json& contents) {
  int number = 0;
  for (const auto& [token, one] : tokenizer["model"]["vocab"].items()) {
    number = std::max(number, one.get<int>());
  }
  for (const auto& one : tokenizer["added_tokens"]) number = std::max(number, one["id"].get<int>());
  for (const auto& content : contents) {
    tokenizer["added_tokens"].push_back(
        {{"id", ++number}, {"content", content}, {"special", true}});
  }
  return tokenizer;
}

}  // namespace gradus
