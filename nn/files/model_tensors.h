/// @file
/// The tensors of a model's folder, in one file or several, and error messages for missing ones.
#pragma once

#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "autograd/check.h"
#include "nn/files/safetensors.h"
#include "nn/module.h"

namespace gradus {

namespace detail {

/// Reports what is wrong with a file of a model.
template <class... Parts>
[[noreturn]] void fail_for(const std::filesystem::path& file, const Parts&... parts) {
  throw std::runtime_error(text(file.string(), ": ", parts...));
}

}  // namespace detail

/// @addtogroup files
/// @{

/// Refuses a folder whose model is in a format that is not read, such as pytorch_model.bin or
/// nanoGPT's ckpt.pt.
/// @throws std::runtime_error naming the file and the remedy.
void refuse_other_formats(const std::filesystem::path& folder);

/// The file with a folder's parameters, or the list of such files: `model.safetensors`, or
/// `model.safetensors.index.json` for a model in several files.
/// @throws std::runtime_error if the folder has them only in another format: see
/// refuse_other_formats().
std::filesystem::path find_model_file(const std::filesystem::path& folder);

/// Whether a tensor is one of the constant masks in GPT-2's own files, which nothing here uses.
bool is_mask(const std::string& name);

/// Checks that the numbers that were read from a file are all finite, except for masks.
/// @throws std::runtime_error naming the file, the tensor, and what it holds where.
void check_finite(const std::filesystem::path& file, const std::map<std::string, Tensor>& found);

/// Reads the file that find_model_file() returned, with check_finite(). An index must list files in
/// the same folder, each holding exactly the tensors that the index says.
/// @throws std::runtime_error naming the file and what is wrong.
Safetensors load_model_tensors(const std::filesystem::path& file);

/// The tensors that a model must have, by name.
using NamedShapes = std::vector<std::pair<std::string, Shape>>;

/// The shapes of these tensors.
NamedShapes shapes_of(const std::vector<NamedTensor>& tensors);

/// Checks that a file holds exactly these tensors, with their shapes.
/// @throws std::runtime_error naming the file, the tensor, and what it is.
void check_tensors(const std::filesystem::path& file, const NamedShapes& wanted,
                   const std::map<std::string, Tensor>& found);

/// Reads what find_model_file() found into these parameters.
/// @throws std::runtime_error naming the file and what is wrong; then nothing was changed.
void load_into(const std::vector<NamedTensor>& parameters, const std::filesystem::path& file);

/// Writes the parameters and buffers of any module into one file.
/// @code
/// KeySequence keys(1);
/// Linear model(3, 2, keys), copy(3, 2, keys);
/// save(model, "model.safetensors");
/// load(copy, "model.safetensors");  // a module of the same sizes
/// copy.bias.at({1}) == model.bias.at({1});  // true
/// @endcode
/// @throws std::runtime_error naming the file if it cannot be written.
template <class Module>
void save(const Module& module, const std::filesystem::path& file) {
  save_safetensors(file.string(), parameters(module), {{"format", "pt"}});
}

/// Reads them back into a module of the same sizes: see save().
/// @throws std::runtime_error naming the file, and the tensor that is missing, of another shape, or
/// does not belong there; then nothing was changed.
template <class Module>
void load(Module& module, const std::filesystem::path& file) {
  load_into(parameters(module), file);
}

/// @}

}  // namespace gradus
