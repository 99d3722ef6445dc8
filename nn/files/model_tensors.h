/// @file
/// Reads the tensors in a model's folder, from one file or several, with error messages for missing
/// tensors.
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

/// Throws std::runtime_error with the message `file: parts`.
template <class... Parts>
[[noreturn]] void fail_for(const std::filesystem::path& file, const Parts&... parts) {
  throw std::runtime_error(text(file.string(), ": ", parts...));
}

}  // namespace detail

/// @addtogroup files
/// @{

/// Refuses a folder whose model is in an unsupported format, such as pytorch_model.bin or nanoGPT's
/// ckpt.pt.
/// @throws std::runtime_error naming the file and the remedy.
void refuse_other_formats(const std::filesystem::path& folder);

/// Returns the file with a folder's parameters: `model.safetensors`, or
/// `model.safetensors.index.json`, the list of files, for a model in several files.
/// @throws std::runtime_error if the folder has parameters only in another format: see
/// refuse_other_formats().
std::filesystem::path find_model_file(const std::filesystem::path& folder);

/// Whether a tensor is one of the constant masks in GPT-2's own files, which gradus does not use.
bool is_mask(const std::string& name);

/// Checks that all numbers from a file are finite, except in masks.
/// @throws std::runtime_error naming the file, the tensor, the number and its position.
void check_finite(const std::filesystem::path& file, const std::map<std::string, Tensor>& found);

/// The parameters in a model's folder, in one file or several, read one at a time. So memory holds
/// only the tensors that the caller keeps.
/// @code
/// KeySequence keys(1);
/// save(Linear(3, 2, keys), "model.safetensors");
/// const ModelTensors held("model.safetensors");
/// held.shapes().size();            // 2
/// held.read("weight").shape();     // [3, 2]
/// @endcode
class ModelTensors {
 public:
  /// Opens the file that find_model_file() returned, and all files that it lists if it is an index.
  /// Checks their headers. An index must list files in the same folder. Each file must hold exactly
  /// the tensors that the index lists for it.
  /// @throws std::runtime_error naming the file and the error.
  explicit ModelTensors(const std::filesystem::path& file);

  /// The names and shapes of the tensors of floating-point numbers.
  const std::map<std::string, Shape>& shapes() const { return shapes_; }
  /// The names and shapes of the tensors of integers.
  const std::map<std::string, Shape>& index_shapes() const { return index_shapes_; }
  /// Reads one of the tensors in shapes(), and checks that its numbers are finite.
  /// @throws std::runtime_error naming the file, the tensor, the number and its position.
  Tensor read(const std::string& name) const;
  /// Reads all tensors in shapes().
  /// @throws std::runtime_error as read() does.
  std::map<std::string, Tensor> read_all() const;

 private:
  void add(const std::filesystem::path& file);

  std::vector<std::pair<std::filesystem::path, SafetensorsFile>> files_;
  std::map<std::string, Shape> shapes_, index_shapes_;
};

/// The names and shapes of the tensors that a model must have.
using NamedShapes = std::vector<std::pair<std::string, Shape>>;

/// The shapes of these tensors.
NamedShapes shapes_of(const std::vector<NamedTensor>& tensors);

/// Checks that the tensors `found` in a file are exactly the `wanted` ones, with their shapes.
/// @throws std::runtime_error naming the file, the tensor and its meaning.
void check_tensors(const std::filesystem::path& file, const NamedShapes& wanted,
                   const std::map<std::string, Tensor>& found);
/// The same for the shapes of the tensors in a file.
void check_tensors(const std::filesystem::path& file, const NamedShapes& wanted,
                   const std::map<std::string, Shape>& found);

/// Reads the file that find_model_file() returned into these parameters.
/// @throws std::runtime_error naming the file and the error; then no parameter was changed.
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

/// Reads a file that save() wrote into a module of the same sizes.
/// @throws std::runtime_error naming the file and the tensor that is missing, has a different shape
/// or does not belong to the module; then the module was not changed.
template <class Module>
void load(Module& module, const std::filesystem::path& file) {
  load_into(parameters(module), file);
}

/// @}

}  // namespace gradus
