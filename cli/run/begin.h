/// @file
/// Prepares a run for training: combines flags, data and checkpoint.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "cli/program/flags.h"
#include "cli/run/lock.h"
#include "cli/run/record.h"
#include "cli/run/subject.h"
#include "cli/tasks/settings.h"
#include "nn/files/checkpoint.h"

namespace gradus {

/// The parts of a run. All ranks have one. On ranks other than 0 the out_dir is empty and the
/// display prints nothing.
struct Run {
  Settings settings;  ///< the flags are bound to these
  std::unique_ptr<Subject> subject;
  RunRecord record;                    ///< written to the out_dir
  std::filesystem::path resumed_from;  ///< empty for a new run
  TrainState state;                    ///< the state in that checkpoint
  bool is_default = false;             ///< whether to move an earlier run out of its way
  std::optional<RunLock> lock;         ///< on the out_dir, for a resumed run
};

/// Begins a new run. Its flags have been parsed into its settings. The settings become the defaults
/// for the model, text and recipe, then take the sizes of the model that the run begins from, then
/// the flags that were given.
/// @throws std::invalid_argument for invalid settings; std::runtime_error for files that cannot be
/// read, and for an out_dir that is not free.
void begin(Flags& flags, Run& run);

/// The same as begin(), for `gradus finetune`: begins from the model of a checkpoint.
void begin_teaching(Flags& flags, Run& run, const std::filesystem::path& checkpoint,
                    const std::string& out_dir);

/// Resumes a run from a checkpoint in its out_dir, with the run's own data unless the flags name
/// others.
/// @throws std::runtime_error naming the file that is missing or damaged; std::invalid_argument for
/// flags that contradict the checkpoint, or if the text has changed and no flag allows it.
void go_on(Flags& flags, Run& run);

/// begin() and go_on() for a GPT that trains on a text.
void begin_on_text(Flags& flags, Run& run);
void go_on_with_text(const Flags& flags, Run& run);

}  // namespace gradus
