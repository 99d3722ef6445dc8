/// @file
/// What a training run is told: flags, nanoGPT's and our own defaults, and how they layer.
#pragma once

#include <string>
#include <vector>

#include "cli/flags.h"
#include "nn/gpt.h"
#include "nn/train/train_options.h"

namespace gradus {

/// Everything that `gradus train` can be told.
struct Settings {
  GptConfig model;
  TrainOptions recipe;
  std::vector<std::string> texts;  ///< empty for the bundled fables
  std::string tokenizer = "char";
  int vocab_size = 0;       ///< 0 for the tokenizer's own
  std::string recipe_name;  ///< nanogpt, fast, or empty for what goes with the text
  std::string config;       ///< a name out of nanoGPT's config/
  std::string init_from = "scratch";
  std::string out_dir = "out";
  std::string checkpoint = "last";
  std::string log;
  std::int64_t log_interval = 10;
  bool dry_run = false;
  bool profile = false;
  bool overwrite = false;
};

/// nanoGPT's train_shakespeare_char: for one's own text.
Settings nanogpt_defaults();
/// Our own: the soonest to the loss that nanoGPT's recipe for one CPU ends at.
Settings fast_defaults();
/// The same with more of all, for the bundled fables: ends within 90 seconds on two cores and
/// writes fables.
Settings fable_defaults();

/// Binds all flags of `gradus train` to these settings.
void add_train_flags(Flags& flags, Settings& settings);

/// The settings of a new run: the defaults for its text and config name, then what the flags say.
/// @param settings are those that `flags` are bound to, after a first parse of `arguments`.
/// @throws std::invalid_argument naming a config or init_from that is not known.
void settle_new_run(Flags& flags, Settings& settings, const Arguments& arguments);

/// The settings of a run that goes on: those of its checkpoint, then what the flags say. Returns
/// the flags that change them, as `max_iters 2000 -> 4000`.
/// @throws std::invalid_argument naming a flag that contradicts the model's sizes.
std::vector<std::string> settle_resumed_run(Flags& flags, Settings& settings,
                                            const Arguments& arguments, const GptConfig& model,
                                            const TrainOptions& recipe,
                                            const std::string& tokenizer);

}  // namespace gradus
