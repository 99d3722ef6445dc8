/// @file
/// The config.json of Llama and the models that share its layout in Hugging Face's folders:
/// Mistral, Qwen2 and Qwen3.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "nn/files/json_values.h"
#include "nn/models/gpt.h"

namespace gradus {

/// @addtogroup files
/// @{

/// The kinds of decoders in Llama's layout. They differ in the options that their configs have.
enum class LlamaKind {
  kLlama,    ///< LlamaForCausalLM
  kMistral,  ///< MistralForCausalLM: a window
  kQwen2,    ///< Qwen2ForCausalLM: biases of queries, keys and values
  kQwen3,    ///< Qwen3ForCausalLM: a norm of queries and keys
};
/// The names of the values in `model_type`.
constexpr std::array<const char*, 4> names_of(LlamaKind) {
  return {"llama", "mistral", "qwen2", "qwen3"};
}

/// What to do with a model that is one of these but for its name, for error messages.
constexpr const char* kRenameHint =
    " (if only the model's name differs, write the family's \"model_type\" and \"architectures\")";

/// The kind as which other programs can read a model with this config; nothing if none of the four
/// has these parts. A model that several kinds can express is the first of them.
std::optional<LlamaKind> llama_kind(const GptConfig& config);

/// Reads a config of this kind. A key that is unknown, or has a value that Gpt cannot express, is
/// an error; keys without effect on logits are ignored.
/// @throws std::invalid_argument naming the key, the rule and the value
GptConfig read_llama_config(const Json& json, LlamaKind kind);

/// Returns the config.json of a model for which llama_kind() is this kind.
Json llama_config(const GptConfig& config, LlamaKind kind);

/// @}

}  // namespace gradus
