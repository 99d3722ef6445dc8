/// @file
/// A run before it trains: what its flags, its data and its checkpoint make together.
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

/// Everything that makes a run. All ranks have one. Ranks but the first have an empty out_dir, and
/// their display leads nowhere.
struct Run {
  Settings settings;  ///< that the flags are bound to
  std::unique_ptr<Subject> subject;
  RunRecord record;                    ///< written to the out_dir
  std::filesystem::path resumed_from;  ///< empty for a new run
  TrainState state;                    ///< of that checkpoint
  bool is_default = false;             ///< whether an earlier run in its out_dir is put aside
  std::optional<RunLock> lock;         ///< on the out_dir, of a run that goes on
};

/// Begins a new run, whose flags have been parsed into its settings. They become the defaults for
/// model, text and recipe, then the sizes of a model that the run begins from, then what is given.
/// @throws std::invalid_argument for invalid settings; std::runtime_error for files that cannot be
/// read, and for an out_dir that is not free.
void begin(Flags& flags, Run& run);

/// The same as begin() for `gradus finetune`, from the model of a checkpoint.
void begin_teaching(Flags& flags, Run& run, const std::filesystem::path& checkpoint,
                    const std::string& out_dir);

/// A run that goes on from a checkpoint of its out_dir, on the data that it began with unless
/// others are given.
/// @throws std::runtime_error naming the file that is missing or damaged; std::invalid_argument for
/// flags that contradict the checkpoint, or if the text has changed and no flag allows it.
void go_on(Flags& flags, Run& run);

/// begin() and go_on() for a GPT on a text.
void begin_on_text(Flags& flags, Run& run);
void go_on_with_text(const Flags& flags, Run& run);

}  // namespace gradus
