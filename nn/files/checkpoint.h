/// @file
/// Checkpoints: folders that hold a whole model or nothing, readable by other programs.
///
/// A checkpoint folder holds
/// - `model.safetensors`: the parameters, with the names and layout of Hugging Face's GPT-2,
/// - `config.json`: the sizes, with GPT-2's keys (other kinds of model: model_configs.h),
/// - `tokenizer.json` or `gradus_tokenizer.json`: the tokenizer (see tokenizer_files.h),
/// - `optimizer.safetensors` and `trainer.json`: what training needs to resume, bit for bit.
///
/// It is written under another name, synced, and put in place by a rename, so that a crash, a full
/// disk or a kill at any moment leaves the earlier checkpoint whole (see replace_folder.h).
/// gpt_files.h and bert_files.h read and write the models of such folders.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "nn/files/file_names.h"
#include "nn/module.h"
#include "nn/optim/optimiser.h"
#include "nn/optim/train_options.h"

namespace gradus {

/// @addtogroup files
/// @{

/// The state of a run: what a resumed run needs, besides parameters and optimiser, to continue as
/// if it had never stopped.
///
/// @code
/// const TrainState state;
/// state.step;            // 0
/// state.evaluated_step;  // -1
/// @endcode
struct TrainState {
  std::int64_t step = 0;                ///< steps done
  std::int64_t evaluated_step = -1;     ///< steps done at the last evaluation; -1 for none
  std::optional<double> best_val_loss;  ///< of the evaluations so far
  std::int64_t best_step = 0;           ///< the step of that evaluation
  double last_loss = 0;                 ///< of the last step, to display
  TrainOptions options;                 ///< those the run was started with

  /// Names each field but the options, as trainer.json has it.
  void fields(auto&& f) {
    f("step", step);
    f("evaluated_step", evaluated_step);
    f("best_val_loss", best_val_loss);
    f("best_step", best_step);
    f("last_loss", last_loss);
  }
};

/// Writes the folder, replacing an existing one: what `write_model` writes into the folder it is
/// given, and what training needs to resume: the state, the optimiser's state, and the tensors
/// `beside_it`.
/// @throws std::runtime_error naming the file and the system's reason; then the existing folder is
/// kept.
void save_checkpoint(const std::filesystem::path& folder,
                     const std::function<void(const std::filesystem::path&)>& write_model,
                     const TrainState& state, const Optimiser& optimiser,
                     const std::vector<NamedTensor>& beside_it = {});

/// Writes `model.safetensors`, the parameters of any model, into a folder.
/// @throws std::runtime_error naming the file and the system's reason.
void save_parameters(const std::filesystem::path& folder,
                     const std::vector<NamedTensor>& parameters);

/// Reads `model.safetensors` into the parameters of a model of this configuration.
/// @throws std::runtime_error naming the file and the tensor that is missing, has another shape, or
/// does not belong to the model.
void load_parameters(const std::filesystem::path& folder,
                     const std::vector<NamedTensor>& parameters);

/// Reads `trainer.json`; none where there is no such file.
/// @throws std::runtime_error naming the file and what is wrong.
std::optional<TrainState> load_state(const std::filesystem::path& folder);

/// Reads the optimiser's state from a folder into `optimiser`, which must have the same parameters,
/// and the tensors saved with it.
/// @throws std::runtime_error naming the file and what is missing or wrong.
void load_optimiser(const std::filesystem::path& folder, Optimiser& optimiser,
                    const std::vector<NamedTensor>& beside_it = {});

/// The folder that `--checkpoint` names: `best` or `last` in out_dir, out_dir itself if it is a
/// model's folder and not a run's, or the path of a checkpoint folder.
/// @throws std::runtime_error saying what is missing and what to do.
std::filesystem::path find_checkpoint(const std::filesystem::path& out_dir,
                                      const std::string& which);

/// @}

}  // namespace gradus
