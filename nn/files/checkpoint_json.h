/// @file
/// The JSON files of a checkpoint, for checkpoint.cpp.
#pragma once

#include <string>
#include <string_view>

#include "nn/files/checkpoint.h"
#include "nn/models/gpt.h"

namespace gradus {

/// @addtogroup files
/// @{

/// Returns the text of config.json: the keys of llama_config() if other programs can read the model
/// as a Llama, Mistral or Qwen. Otherwise the keys are GPT-2's, with further keys for other parts.
std::string config_to_json(const GptConfig& config);

/// Reads config.json. Keys without effect here are ignored. Keys for a model that Gpt cannot
/// express, such as an unknown activation function, are errors.
/// @throws std::runtime_error naming `source`, usually the file, and the missing or wrong part.
GptConfig config_from_json(std::string_view json, const std::string& source);

/// Checks, before anything is allocated, that a folder's weights have at least one byte for each of
/// `numbers` numbers. A stored number takes two bytes or more; the limit is lower because position
/// tables are not stored. Below 2^24 numbers nothing is checked.
/// @throws std::runtime_error naming config.json if the model is larger than its weights.
void check_weights(const std::filesystem::path& folder, Index numbers);

/// Returns the text of trainer.json. Every number is read back as the same number, bit for bit.
std::string state_to_json(const TrainState& state);

/// Reads trainer.json.
/// @throws std::runtime_error naming `source`, usually the file, and the missing or wrong part.
TrainState state_from_json(std::string_view json, const std::string& source);

/// @}

}  // namespace gradus
