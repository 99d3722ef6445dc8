/// @file
/// The JSON files of a checkpoint: for checkpoint.cpp.
#pragma once

#include <string>
#include <string_view>

#include "nn/models/gpt.h"
#include "nn/train/checkpoint.h"

namespace gradus {

/// @addtogroup train
/// @{

/// config.json: GPT-2's keys, and `bias`, which GPT-2 does not have.
std::string config_to_json(const GptConfig& config);

/// Reads config.json. Keys that change nothing here are passed over; those that ask for another
/// model than Gpt, such as another activation function, are errors.
/// @throws std::runtime_error naming `source`, usually the file, and what is missing or wrong.
GptConfig config_from_json(std::string_view json, const std::string& source);

/// Makes sure that the weights beside a folder's config are about as large as its model, which
/// keeps `numbers` of them or more: before that takes memory. A number has two bytes or more; half
/// of them are left for tables of positions, which no file holds.
/// @throws std::runtime_error naming config.json if the model is beyond them.
void check_weights(const std::filesystem::path& folder, Index numbers);

/// trainer.json: every number reads back as the same number, bit for bit.
std::string state_to_json(const TrainState& state);

/// Reads trainer.json.
/// @throws std::runtime_error naming `source`, usually the file, and what is missing or wrong.
TrainState state_from_json(std::string_view json, const std::string& source);

/// @}

}  // namespace gradus
