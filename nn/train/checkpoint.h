/// @file
/// Checkpoints: folders that hold a model, whole or not at all, and that other programs can read.
///
/// A checkpoint folder holds
/// - `model.safetensors`: the parameters, with the names and layout of Hugging Face's GPT-2,
/// - `config.json`: the sizes, with GPT-2's keys,
/// - `tokenizer.json` or `gradus_tokenizer.json`: the tokenizer (see tokenizer.h),
/// - `optimizer.safetensors` and `trainer.json`: what training needs to go on, bit for bit.
///
/// It is written under another name, synced, and put in place by a rename, so that a crash, a full
/// disk or a kill at any moment leaves the earlier checkpoint whole (see replace_folder.h).
///
/// Models that others made are read too. GPT-2's own files differ in some ways, which are accepted:
/// names without the leading `transformer.`; the constant causal masks, `h.0.attn.bias` and
/// `h.0.attn.masked_bias`; a `lm_head.weight` beside the embedding it is tied to; parameters in
/// several files (see model_tensors.h); and rows of the embedding that no token has, which are left
/// out. BERT's are read by load_bert().
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "nn/models/gpt.h"
#include "nn/optim/optimiser.h"
#include "nn/text/tokenizer.h"
#include "nn/train/train_options.h"

namespace gradus {

/// @addtogroup train
/// @{

/// The parameters in a checkpoint's folder, whatever the kind of its model.
inline constexpr const char* kModelFile = "model.safetensors";
/// What the model is; load_config() reads it.
inline constexpr const char* kConfigFile = "config.json";
/// What no JSON file of a checkpoint exceeds, in bytes, but a tokenizer's.
inline constexpr std::size_t kLargestJson = std::size_t{16} << 20;

/// Where a run stands: what is needed, besides parameters and optimiser, to go on as if never
/// stopped.
struct TrainState {
  std::int64_t step = 0;             ///< steps done
  std::int64_t evaluated_step = -1;  ///< steps that were done at the last evaluation; -1 for none
  std::optional<double> best_val_loss;  ///< of the evaluations so far
  std::int64_t best_step = 0;           ///< the step of that evaluation
  double last_loss = 0;                 ///< of the last step, for display
  TrainOptions options;                 ///< those the run was started with
};

/// A model as it was kept.
struct Checkpoint {
  Gpt model;                             ///< with its parameters
  std::unique_ptr<Tokenizer> tokenizer;  ///< that of its vocabulary
  std::optional<TrainState> state;       ///< absent in folders that other programs made
};

/// Writes the folder, in place of what stood there: what `write_model` writes into the folder it is
/// given, and what training needs to go on: the state, the optimiser's, and tensors beside it.
/// @throws std::runtime_error naming the file and the system's reason; then what stood there still
/// stands.
void save_checkpoint(const std::filesystem::path& folder,
                     const std::function<void(const std::filesystem::path&)>& write_model,
                     const TrainState& state, const Optimiser& optimiser,
                     const std::vector<NamedTensor>& beside_it = {});

/// Writes `model.safetensors`, the parameters of any model, into a folder.
/// @throws std::runtime_error naming the file and the system's reason.
void save_parameters(const std::filesystem::path& folder,
                     const std::vector<NamedTensor>& parameters);

/// Reads `model.safetensors` into the parameters of a model of that configuration.
/// @throws std::runtime_error naming the file and the tensor that is missing, of another shape, or
/// does not belong there.
void load_parameters(const std::filesystem::path& folder,
                     const std::vector<NamedTensor>& parameters);

/// Writes a GPT into a folder: `model.safetensors` and `config.json`.
/// @throws std::runtime_error naming the file and the system's reason.
void save_model(const std::filesystem::path& folder, const Gpt& model);

/// Whether an embedding of so many rows may belong to a tokenizer of fewer tokens, in Hugging
/// Face's format: many are published with up to a thousand rows more, to a round number.
bool may_be_padded(const Tokenizer& tokenizer, Index tokens, Index rows);

/// Reads `trainer.json`; none where there is no such file.
/// @throws std::runtime_error naming the file and what is wrong.
std::optional<TrainState> load_state(const std::filesystem::path& folder);

/// Reads a folder, with nothing taken on trust.
/// @throws std::runtime_error naming the file and what is missing or wrong.
Checkpoint load_checkpoint(const std::filesystem::path& folder);

/// Reads `config.json` of a GPT alone.
/// @throws std::runtime_error naming the file and what is missing or wrong.
GptConfig load_config(const std::filesystem::path& folder);

/// Reads the model alone, from `config.json` and `model.safetensors`.
/// @throws std::runtime_error naming the file and what is missing or wrong.
Gpt load_model(const std::filesystem::path& folder);

/// Reads the optimiser's state of a folder into `optimiser`, which must be made for the same
/// parameters, and the tensors that were kept beside it.
/// @throws std::runtime_error naming the file and what is missing or wrong.
void load_optimiser(const std::filesystem::path& folder, Optimiser& optimiser,
                    const std::vector<NamedTensor>& beside_it = {});

/// The folder that `--checkpoint` means: `best` or `last` below out_dir, out_dir itself if it is a
/// model's folder and no run's, or a checkpoint folder by its path.
/// @throws std::runtime_error saying what is missing and what to do.
std::filesystem::path find_checkpoint(const std::filesystem::path& out_dir,
                                      const std::string& which);

/// @}

}  // namespace gradus
