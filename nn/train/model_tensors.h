/// @file
/// The tensors of a model's folder, in one file or in several, and what is said of those that are
/// missing.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "io/safetensors.h"

namespace gradus {

/// @addtogroup train
/// @{

/// Where a folder's parameters are, or which files hold them: `model.safetensors`, or
/// `model.safetensors.index.json` of a model in several files.
/// @throws std::runtime_error if the folder has them in another format alone, such as
/// pytorch_model.bin.
std::filesystem::path find_model_file(const std::filesystem::path& folder);

/// Reads what find_model_file() found. An index must name files beside it, each of which holds the
/// tensors that the index says, and no others.
/// @throws std::runtime_error naming the file and what is wrong.
Safetensors load_model_tensors(const std::filesystem::path& file);

/// Tensors that a model is to have, by name.
using NamedShapes = std::vector<std::pair<std::string, Shape>>;

/// Makes sure that a file holds these tensors in their shapes, and no others.
/// @throws std::runtime_error naming the file, the tensor, and what it is.
void check_tensors(const std::filesystem::path& file, const NamedShapes& wanted,
                   const std::map<std::string, Tensor>& found);

/// @}

}  // namespace gradus
