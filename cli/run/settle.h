/// @file
/// How defaults, a checkpoint and flags make the settings of a run, and the command that has the
/// same ones.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/run/settings.h"

namespace gradus {

/// Takes sizes and tokenizer over from the model that a run begins from.
/// @throws std::invalid_argument naming a flag that contradicts them.
void take_model(const Flags& flags, Settings& settings, const GptConfig& model,
                const Tokenizer& tokenizer);

/// Makes sure that the flags that were given have a meaning for the run of these settings.
/// @throws std::invalid_argument naming the first that has none.
void check_meaning(const Flags& flags, const Settings& settings);

/// Refuses a flag of nanoGPT that is ignored, where the run would not be what it asks for.
/// @throws std::invalid_argument naming it and the command that does it.
void check_ignored(const Flags& flags, const Settings& settings);

/// nanoGPT's config that is given, train_shakespeare_char or none.
/// @throws std::invalid_argument for another, saying what does what it is for.
std::string config_of(const Settings& settings);
inline constexpr const char* kConfigOutDir = "out-shakespeare-char";  ///< where it puts its run

/// Makes sure that --init_from names a folder.
/// @throws std::invalid_argument saying what it may be: `others`, such as "scratch" and "resume".
void check_is_folder(const std::string& init_from, const std::vector<std::string>& others);

/// The settings of a new run: the defaults for its text and config name, then what the flags say.
/// @param settings are those that `flags` are bound to, after a first parse of `arguments`.
/// @param sizes reads the text and chooses by it and so many minutes; asked for the own recipe.
/// @throws std::invalid_argument naming a config or init_from that is not known.
void settle_new_run(Flags& flags, Settings& settings, const Arguments& arguments,
                    const std::function<OwnSizes(double minutes)>& sizes);

/// The command that repeats this run to the bit: all that differs from a recipe's defaults.
/// @param settings are those that `flags` are bound to.
std::string repeating_command(const Flags& flags, Settings& settings);

/// The same for a model that learns from examples.
/// @throws std::invalid_argument naming a flag that has no meaning for it.
void settle_new_task(Flags& flags, Settings& settings, const Arguments& arguments);

/// The settings of a run that goes on: those of its checkpoint, then what the flags say. Returns
/// the flags that change them, as `max_iters 2000 -> 4000`.
/// @param settings hold the checkpoint's, and are those that `flags` are bound to.
/// @throws std::invalid_argument naming a flag that contradicts the model's sizes.
std::vector<std::string> settle_resumed_run(Flags& flags, Settings& settings,
                                            const Arguments& arguments, const Settings& checkpoint,
                                            std::int64_t done);

}  // namespace gradus
