/// @file
/// The JSON files of a checkpoint: used by checkpoint.cpp.
#pragma once

#include <string>
#include <string_view>

#include "nn/files/checkpoint.h"
#include "nn/models/gpt.h"

namespace gradus {

/// @addtogroup files
/// @{

/// config.json: GPT-2's keys, and `bias`, which GPT-2 does not have.
std::string config_to_json(const GptConfig& config);

/// Reads config.json. Keys without effect here are ignored; keys that ask for a model other than
/// Gpt, such as another activation function, are errors.
/// @throws std::runtime_error naming `source`, usually the file, and what is missing or wrong.
GptConfig config_from_json(std::string_view json, const std::string& source);

/// Checks, before allocating, that a folder's weights have at least one byte for each of `numbers`.
/// A stored number takes two bytes or more; the rest is room for position tables, which are not
/// stored. Below 2^24 numbers nothing is checked.
/// @throws std::runtime_error naming config.json if the model is larger than its weights.
void check_weights(const std::filesystem::path& folder, Index numbers);

/// trainer.json: every number is read back as the same number, bit for bit.
std::string state_to_json(const TrainState& state);

/// Reads trainer.json.
/// @throws std::runtime_error naming `source`, usually the file, and what is missing or wrong.
TrainState state_from_json(std::string_view json, const std::string& source);

/// @}

}  // namespace gradus
