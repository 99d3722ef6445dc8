/// @file
/// The flags of training. Each is defined once, with its variable, its help and its traits.
#pragma once

#include "cli/program/flags.h"
#include "cli/tasks/settings.h"

namespace gradus {

/// Binds all flags of `gradus train` to these settings.
void add_train_flags(Flags& flags, Settings& settings);

/// Binds the flags of any training on examples: the examples, the recipe, and the run's output.
void add_examples_flags(Flags& flags, Settings& settings);
void add_recipe_flags(Flags& flags, Settings& settings);  ///< see add_examples_flags()
void add_run_flags(Flags& flags, Settings& settings);     ///< see add_examples_flags()

}  // namespace gradus
