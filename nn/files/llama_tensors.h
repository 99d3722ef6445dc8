/// @file
/// The parameters of a Llama and its kin (llama_config.h), with the names and the layout of Hugging
/// Face's files.
///
/// There, matrices are transposed, [out, in], and queries, keys, values, and the two halves of a
/// gated layer are separate.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "nn/files/model_tensors.h"
#include "nn/models/gpt.h"

namespace gradus {

/// @addtogroup files
/// @{

/// Returns parameters of a model with a llama_kind() with these names and this layout: `own` has
/// Gpt's names. Of a low-rank pair (lora.h), each of the separate layers gets the same lora_A.
std::vector<NamedTensor> with_llama_names(const GptConfig& config,
                                          const std::vector<NamedTensor>& own);

/// Converts the tensors `found` in a file to the parameters `own` of a model, and returns them with
/// Gpt's names. Frees each tensor of `found` once it is used.
/// @throws std::runtime_error naming the file and a tensor that is missing, has another shape, or
/// does not belong to the model.
std::map<std::string, Tensor> from_llama_names(const std::filesystem::path& file,
                                               const GptConfig& config,
                                               const std::vector<NamedTensor>& own,
                                               std::map<std::string, Tensor> found);

/// The names and shapes of the tensors of a file that hold the parameter of Gpt with this name,
/// shape and role: its ranges along its last axis, in order. Matrices are transposed in the file,
/// tables are not.
NamedShapes llama_parts(const GptConfig& config, const std::string& name, const Shape& shape,
                        Role role);

/// Whether a tensor is a constant in old files, which has no effect.
bool is_llama_constant(const std::string& name);

/// @}

}  // namespace gradus
