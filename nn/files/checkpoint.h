/// @file
/// Checkpoints: folders that contain a complete model or do not exist. Other programs can read
/// them.
///
/// A checkpoint folder contains
/// - `model.safetensors`: the parameters, with the names and layout of Hugging Face's GPT-2,
/// - `config.json`: the sizes, with GPT-2's keys (for other kinds of model see model_configs.h),
/// - `tokenizer.json` or `gradus_tokenizer.json`: the tokenizer (see tokenizer_files.h),
/// - `optimizer.safetensors` and `trainer.json`: the state from which training resumes bit for bit.
///
/// A checkpoint is written under another name, synced and then renamed, so that a crash, a full
/// disk or a kill at any moment leaves the earlier checkpoint complete (see replace_folder.h).
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

/// The state of a run. With it, the parameters and the optimiser's state, a resumed run continues
/// as if it had never stopped.
///
/// @code
/// const TrainState state;
/// state.step;            // 0
/// state.evaluated_step;  // -1
/// @endcode
struct TrainState {
  std::int64_t step = 0;                ///< steps done
  std::int64_t evaluated_step = -1;     ///< steps done at the last evaluation; -1 for none
  std::optional<double> best_val_loss;  ///< the lowest in the evaluations so far
  std::int64_t best_step = 0;           ///< steps done at that evaluation
  double last_loss = 0;                 ///< loss of the last step, to display
  TrainOptions options;                 ///< the options with which the run was started

  /// Names each field except the options as in trainer.json.
  void fields(auto&& f) {
    f("step", step);
    f("evaluated_step", evaluated_step);
    f("best_val_loss", best_val_loss);
    f("best_step", best_step);
    f("last_loss", last_loss);
  }
};

/// Writes a checkpoint folder and replaces an existing one. `write_model` writes the model into the
/// folder that it receives; save_checkpoint() adds the state, the optimiser's state and the tensors
/// `beside_it`, from which training resumes.
/// @throws std::runtime_error naming the file and the system's reason; then the existing folder
/// stays.
void save_checkpoint(const std::filesystem::path& folder,
                     const std::function<void(const std::filesystem::path&)>& write_model,
                     const TrainState& state, const Optimiser& optimiser,
                     const std::vector<NamedTensor>& beside_it = {});

/// Writes `model.safetensors`, the parameters of any model, into a folder.
/// @throws std::runtime_error naming the file and the system's reason.
void save_parameters(const std::filesystem::path& folder,
                     const std::vector<NamedTensor>& parameters);

/// Reads `model.safetensors` into the parameters of a model with the same configuration.
/// @throws std::runtime_error naming the file and the tensor that is missing, has another shape, or
/// does not belong to the model.
void load_parameters(const std::filesystem::path& folder,
                     const std::vector<NamedTensor>& parameters);

/// Reads `trainer.json`; returns nothing if there is no such file.
/// @throws std::runtime_error naming the file and the error.
std::optional<TrainState> load_state(const std::filesystem::path& folder);

/// Reads the optimiser's state from a folder into `optimiser`, which must have the same parameters,
/// and the tensors saved with it into `beside_it`.
/// @throws std::runtime_error naming the file and the missing or wrong part.
void load_optimiser(const std::filesystem::path& folder, Optimiser& optimiser,
                    const std::vector<NamedTensor>& beside_it = {});

/// Returns the folder for the value `which` of `--checkpoint`: `best` or `last` in out_dir, or the
/// path of a checkpoint folder. If out_dir is a model's folder and not a run's, the folder is
/// out_dir itself.
/// @throws std::runtime_error naming the missing part and the remedy.
std::filesystem::path find_checkpoint(const std::filesystem::path& out_dir,
                                      const std::string& which);

/// @}

}  // namespace gradus
