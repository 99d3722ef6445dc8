/// @file
/// Training as a command does it: progress, logs, signals, checkpoints, and what is said at the
/// end.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "cli/program/display.h"
#include "cli/run/plan.h"
#include "cli/run/progress.h"
#include "cli/run/run_lock.h"
#include "cli/run/run_record.h"
#include "cli/run/settings.h"
#include "nn/train/exact_loss.h"
#include "nn/train/task.h"
#include "nn/train/trainer.h"

namespace gradus {

/// The loss of a model that finds every token equally likely; 0 for one without a vocabulary.
double loss_of_nothing(const GptConfig& model);

/// What is trained, and how.
struct TrainingRun {
  const Settings& settings;
  Task& task;
  const Plan& plan;
  const RunRecord& record;             ///< written to the out_dir
  std::filesystem::path resumed_from;  ///< empty for a new run
  TrainState state;                    ///< of that checkpoint
  BytesPerToken bytes_per_token;       ///< of its text, if it is one
  double loss_of_nothing = 0;          ///< of who knows nothing of the data; 0 if that is not known
  /// The exact loss of the best checkpoint on all that is held out; empty where that takes too
  /// long, and nothing if it was stopped.
  std::function<std::optional<ExactLoss>()> exact_loss;
  std::string evaluated_on;  ///< otherwise: "estimated on 640 examples"
  /// A few lines of what the model can do after so many steps.
  std::function<std::string(std::int64_t step)> sample;
  std::function<void()> finale;  ///< shows it at the end, on standard output
  std::string command;           ///< that shows more of it: "sample"
};

/// Refuses an out_dir that a new run cannot have, before time is spent on it: one where a training
/// is at work, or that holds an earlier run's checkpoint, which is never overwritten unasked.
/// @throws std::runtime_error or std::invalid_argument naming the folder and what to do.
void check_out_dir(const Settings& settings, bool is_default_run);

/// After the plan of a run that is not begun: says what check_out_dir() would refuse it for.
void note_what_is_in_the_way(const Settings& settings, bool is_default_run);

/// Makes the out_dir and holds it for a new run. An earlier run's folder is put aside whole, as
/// `.previous`, `.previous.2` and so on; or emptied, if it was said to be overwritten.
/// @throws as check_out_dir(): things may have changed since.
RunLock claim_out_dir(const Settings& settings, bool is_default_run);

/// The exit code where a question is answered by no: as Ctrl-C there would end it.
inline constexpr int kDeclined = 130;

/// Says in a plan what each of several ranks does of a step.
void show_shares(Display& display, const TrainOptions& recipe);

/// What all ranks but the first do of a training: their share of each step, and nothing else.
int follow_training(const Settings& settings, Task& task, const std::filesystem::path& resumed_from,
                    const TrainState& state);

/// Trains until the end or a signal, in an out_dir that the caller holds. Returns the exit code.
int run_training(const TrainingRun& run, Display& display);

}  // namespace gradus
