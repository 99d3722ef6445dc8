/// @file
/// `gradus train` for the models that learn from examples: all but a GPT on a text.
#pragma once

#include <filesystem>

#include "cli/run/settings.h"
#include "nn/files/checkpoint.h"
#include "nn/train/task.h"

namespace gradus {

/// Trains what the settings say, which `arguments` were read into.
int train_task(Flags& flags, Settings& settings, const Arguments& arguments);

/// Plans, trains and shows a task whose settings are settled; `resumed_from` is the checkpoint of
/// that state if it goes on with a run, and empty if it is a new one.
int run_task(const Settings& settings, Task& task, const std::filesystem::path& resumed_from,
             const TrainState& state);

/// Goes on with the run of this checkpoint.
int resume_task(Flags& flags, Settings& settings, const Arguments& arguments,
                const std::filesystem::path& checkpoint);

}  // namespace gradus
