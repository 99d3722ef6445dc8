/// @file
/// Where texts begin and end, and how conversations are written, in Hugging Face's folders of
/// Llama, Mistral and Qwen.
#pragma once

#include <filesystem>
#include <memory>

#include "nn/text/tokenizer.h"

namespace gradus {

/// @addtogroup files
/// @{

/// The file with the tokens that end a generated text.
inline constexpr const char* kGenerationConfigFile = "generation_config.json";
/// The file with the template for conversations, in newer folders.
inline constexpr const char* kChatTemplateFile = "chat_template.jinja";

/// Reads the rules of a folder, for its tokenizer:
/// - The begin token is `bos_token` of tokenizer_config.json if `add_bos_token` is true, and there
///   is none if it is false. Without this key, tokenizer.json's post_processor names it; a
///   LlamaTokenizer has one by default.
/// - The end tokens are `eos_token_id` of generation_config.json, or otherwise of config.json, or
///   otherwise `eos_token` of tokenizer_config.json. Numbers outside the vocabulary have no effect.
/// - The template is chat_template.jinja, or otherwise `chat_template` of tokenizer_config.json.
///
/// save_tokenizer() writes the files again. If the end tokens are in config.json, which is written
/// anew, they are kept in generation_config.json.
/// @return nullptr if there is nothing of these
/// @throws std::runtime_error naming the file and the wrong part
std::shared_ptr<const TextRules> load_text_rules(const std::filesystem::path& folder,
                                                 const Tokenizer& tokenizer);

/// @}

}  // namespace gradus
