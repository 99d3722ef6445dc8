/// @file
/// Low-rank adapters (lora.h) in folders, in the layout of PEFT (Hugging Face's library for
/// parameter-efficient fine-tuning).
///
/// An adapter's folder has
/// - `adapter_config.json`: rank and alpha, and the folder of the model that the adapter belongs
///   to, the base;
/// - `adapter_model.safetensors`: the pairs as `base_model.model.<layer>.lora_A.weight` [r, in] and
///   `lora_B.weight` [out, r], with the layer's name in Hugging Face's files, and whole tensors
///   that were trained with them.
///
/// Whatever else a command needs and the adapter's folder lacks, such as a tokenizer, it reads from
/// the base.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "nn/layers/lora.h"
#include "nn/module.h"

namespace gradus {

/// @addtogroup files
/// @{

/// The file with an adapter's config.
inline constexpr const char* kAdapterConfigFile = "adapter_config.json";
/// The file with its tensors.
inline constexpr const char* kAdapterFile = "adapter_model.safetensors";
/// The end of the name of the first tensor of a pair.
inline constexpr const char* kFirstOfPair = ".lora_A.weight";

/// An adapter without its tensors.
/// @code
/// Adapter{"gpt2", {.rank = 4}}.lora.scale();  // 4
/// @endcode
struct Adapter {
  std::filesystem::path base;  ///< the folder of the model that it belongs to
  LoraOptions lora = {};       ///< the sizes of its pairs
  /// A digest of the base's weights, to detect a later change of the weights; empty: unknown.
  std::string digest = {};
};

/// Whether a folder holds an adapter.
bool holds_adapter(const std::filesystem::path& folder);

/// Returns the folder with a model's weights: the base of an adapter's folder, otherwise the folder
/// itself, as find_folder() gives it.
/// @throws std::runtime_error as load_adapter() does.
std::filesystem::path base_of(const std::filesystem::path& folder);

/// Reads `adapter_config.json`. Each key is used, has no effect on the model, or is an error. An
/// unknown key that is null, false or empty turns nothing on, and is ignored.
/// @throws std::runtime_error naming the file and the key, or the base if there is no such model.
Adapter load_adapter(const std::filesystem::path& folder);

/// Returns the same adapter with the absolute path and the digest of its base.
Adapter with_digest(Adapter adapter);

/// Writes an adapter. `tensors` are the pairs and other trained tensors, with the names and the
/// layout of Hugging Face's files. `task` is PEFT's task_type, such as CAUSAL_LM, and
/// `trained_whole` lists the modules of the other tensors.
/// @throws std::runtime_error naming the file and the system's reason.
void save_adapter(const std::filesystem::path& folder, const Adapter& adapter,
                  const std::vector<NamedTensor>& tensors, const std::string& task,
                  const std::vector<std::string>& trained_whole = {});

/// Reads the tensors of an adapter, with the names of Hugging Face's files.
/// @throws std::runtime_error naming the file and the error, such as a tensor of another rank, a
/// number that is not finite, or a base that has changed since.
std::map<std::string, Tensor> load_adapter_tensors(const std::filesystem::path& folder,
                                                   const Adapter& adapter);

/// The adapter of a folder. It is added to its base's weights one at a time, when they are read.
/// Weights have the names of Hugging Face's files.
/// @code
/// const MergedAdapter none(".");  // a folder without an adapter: nothing changes
/// none.merged("lm_head.weight", [] { return ones({2}); }).at({1});  // 1
/// @endcode
class MergedAdapter {
 public:
  /// Reads the adapter; a folder without one gives an adapter without tensors.
  /// @throws std::runtime_error as load_adapter() and load_adapter_tensors().
  explicit MergedAdapter(const std::filesystem::path& folder);

  /// Checks that each pair fits a weight of the base. `shapes` are the shapes of the base; adds the
  /// shapes of tensors that replace the base's.
  /// @throws std::runtime_error naming the adapter's file and the tensor that does not fit.
  void fit(std::map<std::string, Shape>& shapes) const;
  /// Returns the merged model's tensor of this name: the adapter's own, or otherwise the base's,
  /// which `read` returns, with its pair added, W + alpha / r times A B.
  Tensor merged(const std::string& name, const std::function<Tensor()>& read) const;

 private:
  std::filesystem::path folder_;
  Adapter adapter_;
  std::map<std::string, Tensor> tensors_;
};

/// Adds the adapter of a folder to the weights of its base, W + alpha / r times A B; does nothing
/// for a folder without an adapter. `weights` have the names of Hugging Face's files. Tensors that
/// are not pairs replace those of the base.
/// @throws std::runtime_error naming the adapter's file and the tensor that does not fit.
void merge_adapter(const std::filesystem::path& folder, std::map<std::string, Tensor>& weights);

/// @}

}  // namespace gradus
