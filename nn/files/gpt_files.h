/// @file
/// GPTs in checkpoint folders, in Hugging Face's formats for GPT-2, Llama, Mistral, Qwen2 and
/// Qwen3.
///
/// A model with the parts of the last four (see llama_kind()) is written in their format.
/// Models from other programs can be read too. GPT-2's own files may differ in some ways: names
/// without the leading `transformer.`; the constant causal masks, `h.0.attn.bias` and
/// `h.0.attn.masked_bias`; a `lm_head.weight` in addition to the embedding to which it is tied;
/// parameters in several files (see model_tensors.h); and rows of the embedding that no token uses,
/// which are dropped.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "nn/files/adapter_files.h"
#include "nn/files/checkpoint.h"
#include "nn/models/gpt.h"
#include "nn/text/tokenizer.h"

namespace gradus {

/// @addtogroup files
/// @{

/// A saved GPT.
struct Checkpoint {
  Gpt model;                             ///< the model with its parameters
  std::unique_ptr<Tokenizer> tokenizer;  ///< the tokenizer for its vocabulary
  std::optional<TrainState> state;       ///< absent in folders from other programs
};

/// Writes a GPT into a folder: `model.safetensors` and `config.json`.
/// @throws std::invalid_argument if its weights are not in float32.
/// @throws std::runtime_error naming the file and the system's reason.
void save_gpt(const std::filesystem::path& folder, const Gpt& model);

/// Writes the low-rank pairs of a GPT into a folder: see save_adapter() in adapter_files.h.
/// @throws std::runtime_error naming the file and the system's reason.
void save_pairs(const std::filesystem::path& folder, const Gpt& model, const Adapter& adapter);

/// Reads an adapter that save_pairs() wrote into the pairs of a model, to train it further.
/// @throws std::runtime_error naming the file and the missing or wrong part.
void load_pairs(const std::filesystem::path& folder, Gpt& model, const Adapter& adapter);

/// Whether an embedding with `rows` rows may belong to a tokenizer with fewer `tokens`, in Hugging
/// Face's format. Many published embeddings have up to a thousand extra rows, for a round number.
bool may_be_padded(const Tokenizer& tokenizer, Index tokens, Index rows);

/// Reads the checkpoint of a GPT. Everything in the folder is checked before it is used. An adapter
/// (adapter_files.h) is merged with its base. With a model that has a llama_kind(), the tokenizer
/// gets the folder's rules (text_rules_files.h). For the type of the weights see load_gpt().
/// @throws std::runtime_error naming the file and the missing or wrong part.
Checkpoint load_checkpoint(const std::filesystem::path& folder,
                           WeightType weights = WeightType::kFloat32);

/// Reads only `config.json` of a GPT.
/// @throws std::runtime_error naming the file and the missing or wrong part.
GptConfig load_gpt_config(const std::filesystem::path& folder);

/// Reads only the model of a GPT, from `config.json` and `model.safetensors`, and merges an
/// adapter. Reads one tensor at a time, so that memory holds the model and one tensor in float32.
///
/// With `weights` other than kFloat32, all matrices but the table of learned positions are rounded
/// to that type, and the model is for use only. Weights that are stored as BF16 keep their bits in
/// kBfloat16.
/// @throws std::runtime_error naming the file and the missing or wrong part.
Gpt load_gpt(const std::filesystem::path& folder, WeightType weights = WeightType::kFloat32);

/// @}

}  // namespace gradus
