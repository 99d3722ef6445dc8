/// @file
/// The flags of training: each is defined once, with its variable, its help and its traits.
#pragma once

#include "cli/program/flags.h"
#include "cli/tasks/settings.h"

namespace gradus {

/// Binds all flags of `gradus train` to these settings.
void add_train_flags(Flags& flags, Settings& settings);

/// Those of them that any training on examples has: their number, the recipe, and what is shown and
/// kept on the way.
void add_examples_flags(Flags& flags, Settings& settings);
void add_recipe_flags(Flags& flags, Settings& settings);  ///< see add_examples_flags()
void add_run_flags(Flags& flags, Settings& settings);     ///< see add_examples_flags()

}  // namespace gradus
