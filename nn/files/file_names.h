/// @file
/// The files of a checkpoint folder that several readers share.
#pragma once

#include <cstddef>

namespace gradus {

/// @addtogroup files
/// @{

/// The parameters in a checkpoint's folder, for every kind of model.
inline constexpr const char* kModelFile = "model.safetensors";
/// The kind of the model and its sizes; gpt_files.h reads a GPT's, model_configs.h the others.
inline constexpr const char* kConfigFile = "config.json";
/// The largest JSON file of a checkpoint, in bytes; a tokenizer's has another limit.
inline constexpr std::size_t kLargestJson = std::size_t{16} << 20;

/// The state of a run, in folders that training wrote.
inline constexpr const char* kTrainerFile = "trainer.json";

/// @}

}  // namespace gradus
