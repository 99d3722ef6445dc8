/// @file
/// Training as a command does it: progress, logs, signals, checkpoints, and what is said at the
/// end.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "cli/display.h"
#include "cli/plan.h"
#include "cli/run_record.h"
#include "cli/settings.h"
#include "nn/train/task.h"
#include "nn/train/trainer.h"

namespace gradus {

/// What is trained, and how.
struct TrainingRun {
  const Settings& settings;
  Task& task;
  const Plan& plan;
  const RunRecord& record;             ///< written to the out_dir
  std::filesystem::path resumed_from;  ///< empty for a new run
  TrainState state;                    ///< of that checkpoint
  /// A few lines of what the model can do after so many steps.
  std::function<std::string(std::int64_t step)> sample;
  std::function<void()> finale;  ///< shows it at the end, on standard output
  std::string command;           ///< that shows more of it: "sample"
};

/// Whether an earlier run's checkpoint is in the out_dir and may be put out of the way; one is
/// never overwritten unasked.
/// @throws std::invalid_argument if it may not.
bool earlier_run_in_the_way(const Settings& settings, bool is_default_run);

/// Makes the out_dir, after an earlier run was put aside, or for good if it was said to be
/// overwritten.
void prepare_out_dir(const Settings& settings, bool in_the_way);

/// Trains until the end or a signal. Returns the exit code.
int run_training(const TrainingRun& run, Display& display);

}  // namespace gradus
