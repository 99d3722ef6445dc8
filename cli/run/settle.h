/// @file
/// Settings: defaults or a checkpoint's settings, and then what is given by flags; and flags that
/// have no meaning together.
#pragma once

#include <string>
#include <vector>

#include "cli/program/flags.h"
#include "cli/tasks/settings.h"

namespace gradus {

/// The minutes that a text of one's own is given unless others are asked for.
inline constexpr double kOwnMinutes = 2;

/// A change that a flag makes to earlier settings.
struct Change {
  std::string name, before, now;
};

/// Writes into `settings`, to which the flags are bound: first all of `before`, then the values of
/// the flags that were given. Returns the flags of the recipe whose value differs from before.
std::vector<Change> settle(Flags& flags, Settings& settings, const Settings& before);

/// Lets min_lr and lr_decay_iters follow from the others unless they are given.
void complete_schedule(const Flags& flags, Settings& settings);
/// The default of min_lr.
double following_floor(const TrainOptions& recipe);

/// The command that repeats this run to the bit: all that differs from a recipe's defaults.
/// @param settings are those that `flags` are bound to.
std::string repeating_command(const Flags& flags, Settings& settings);

/// Makes sure that the flags that were given have a meaning for the run of these settings.
/// @throws std::invalid_argument naming the first that has none.
void check_meaning(const Flags& flags, const Settings& settings);

/// Refuses a flag of nanoGPT that is ignored, where the run would not be what it asks for.
/// @throws std::invalid_argument naming it and the command that does it.
void check_ignored(const Flags& flags, const Settings& settings);

/// nanoGPT's config that is given, train_shakespeare_char or none.
/// @throws std::invalid_argument for another, saying what does what it is for.
std::string config_of(const Settings& settings);

/// Makes sure that --init_from names a folder.
/// @throws std::invalid_argument that lists the other values: `others`, such as "scratch".
void check_is_folder(const std::string& init_from, const std::vector<std::string>& others);

}  // namespace gradus
