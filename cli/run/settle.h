/// @file
/// Combines defaults or a checkpoint's settings with the flags that were given, and rejects flags
/// that have no meaning together.
#pragma once

#include <string>
#include <vector>

#include "cli/program/flags.h"
#include "cli/tasks/settings.h"

namespace gradus {

/// The default of --minutes for the user's own text.
inline constexpr double kOwnMinutes = 2;

/// A change that a flag makes to earlier settings.
struct Change {
  std::string name, before, now;
};

/// Writes into `settings`, to which the flags are bound: first all of `before`, then the values of
/// the flags that were given. Returns the flags of the recipe whose value differs from before.
std::vector<Change> settle(Flags& flags, Settings& settings, const Settings& before);

/// Computes min_lr and lr_decay_iters from the other settings unless they are given.
void complete_schedule(const Flags& flags, Settings& settings);
/// The default of min_lr.
double following_floor(const TrainOptions& recipe);

/// The command that repeats this run to the bit, with all flags that differ from the recipe's
/// defaults.
/// @param settings are the settings that `flags` are bound to.
std::string repeating_command(const Flags& flags, Settings& settings);

/// Checks that the flags that were given have a meaning for the run of these settings.
/// @throws std::invalid_argument naming the first flag that has none.
void check_meaning(const Flags& flags, const Settings& settings);

/// Rejects a flag that was given and has no effect with the values of other flags. Notes the flags
/// that nanoGPT's own configs contain.
/// @throws std::invalid_argument naming the first flag to reject, and the cause.
void check_effects(const Flags& flags, const Settings& settings);

/// Rejects a flag of nanoGPT that gradus cannot ignore, because the run would not do what the flag
/// asks for.
/// @throws std::invalid_argument naming the flag and the command to use instead.
void check_ignored(const Flags& flags, const Settings& settings);

/// The nanoGPT config that was given: train_shakespeare_char or none.
/// @throws std::invalid_argument for another config, naming the command to use instead.
std::string config_of(const Settings& settings);

/// Checks that --init_from names a folder.
/// @throws std::invalid_argument that lists the other values: `others`, such as "scratch".
void check_is_folder(const std::string& init_from, const std::vector<std::string>& others);

}  // namespace gradus
