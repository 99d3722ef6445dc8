/// @file
/// GPTs in checkpoint folders, in Hugging Face's format for GPT-2.
///
/// Models from other programs can be read too. GPT-2's own files differ in some ways, which are
/// accepted: names without the leading `transformer.`; the constant causal masks, `h.0.attn.bias`
/// and `h.0.attn.masked_bias`; a `lm_head.weight` as well as the embedding it is tied to;
/// parameters in several files (see model_tensors.h); and rows of the embedding that no token uses,
/// which are dropped.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "nn/files/checkpoint.h"
#include "nn/models/gpt.h"
#include "nn/text/tokenizer.h"

namespace gradus {

/// @addtogroup files
/// @{

/// A saved GPT.
struct Checkpoint {
  Gpt model;                             ///< with its parameters
  std::unique_ptr<Tokenizer> tokenizer;  ///< for its vocabulary
  std::optional<TrainState> state;       ///< absent in folders from other programs
};

/// Writes a GPT into a folder: `model.safetensors` and `config.json`.
/// @throws std::runtime_error naming the file and the system's reason.
void save_gpt(const std::filesystem::path& folder, const Gpt& model);

/// Whether an embedding with so many rows may belong to a tokenizer with fewer tokens, in Hugging
/// Face's format: many published ones have up to a thousand extra rows, for a round number.
bool may_be_padded(const Tokenizer& tokenizer, Index tokens, Index rows);

/// Reads the folder of a GPT; everything in it is checked before it is used.
/// @throws std::runtime_error naming the file and what is missing or wrong.
Checkpoint load_checkpoint(const std::filesystem::path& folder);

/// Reads `config.json` of a GPT alone.
/// @throws std::runtime_error naming the file and what is missing or wrong.
GptConfig load_gpt_config(const std::filesystem::path& folder);

/// Reads the model alone, from `config.json` and `model.safetensors`.
/// @throws std::runtime_error naming the file and what is missing or wrong.
Gpt load_gpt(const std::filesystem::path& folder);

/// @}

}  // namespace gradus
