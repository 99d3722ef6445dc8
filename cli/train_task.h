/// @file
/// `gradus train` for the models that learn from examples: all but a GPT on a text.
#pragma once

#include <filesystem>

#include "cli/settings.h"

namespace gradus {

/// Trains what the settings say, which `arguments` were read into.
int train_task(Flags& flags, Settings& settings, const Arguments& arguments);

/// Goes on with the run of this checkpoint.
int resume_task(Flags& flags, Settings& settings, const Arguments& arguments,
                const std::filesystem::path& checkpoint);

}  // namespace gradus
