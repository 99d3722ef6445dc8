/// @file
/// The names of files in checkpoint folders that several readers use.
#pragma once

#include <cstddef>

namespace gradus {

/// @addtogroup files
/// @{

/// The file with the parameters in a checkpoint folder, for every kind of model.
inline constexpr const char* kModelFile = "model.safetensors";
/// The file with the kind of model and its sizes. The functions in gpt_files.h read it for a GPT,
/// the functions in model_configs.h for other models.
inline constexpr const char* kConfigFile = "config.json";
/// The largest JSON file of a checkpoint, in bytes. A tokenizer's file has a different limit.
inline constexpr std::size_t kLargestJson = std::size_t{16} << 20;

/// The file with the state of a run, in folders that training wrote.
inline constexpr const char* kTrainerFile = "trainer.json";

/// @}

}  // namespace gradus
