/// @file
/// A training run before it starts: what its flags, its text and its checkpoint make together.
#pragma once

#include <filesystem>
#include <memory>

#include "cli/run/run_record.h"
#include "cli/run/settings.h"
#include "nn/files/checkpoint.h"

namespace gradus {

/// Everything a run is made of.
struct Run {
  Settings settings;
  Text text;
  RunRecord record;
  std::unique_ptr<Tokenizer> tokenizer;
  std::unique_ptr<Corpus> corpus;
  std::unique_ptr<Gpt> model;
  std::filesystem::path resumed_from;  ///< empty for a new run
  TrainState state;                    ///< of the checkpoint
  double reference_steps = 0;  ///< that fit the time of an own recipe: see own_sizes(); else 0
  double load_of_others = 0;   ///< while its time was measured: see machine.h
  std::filesystem::path begun_from = {};  ///< a model's folder, for a new run that has one
};

/// A run from the start: its model is made later, when it is known to fit.
/// @throws std::invalid_argument for invalid settings; std::runtime_error for texts that
/// cannot be read.
Run new_run(Flags& flags, Settings& settings, const Arguments& arguments);

/// A run that goes on from this checkpoint of its out_dir, on the text that it began with unless
/// another is given.
/// @throws std::runtime_error naming the file that is missing or damaged; std::invalid_argument for
/// flags that contradict the checkpoint, or if the text is another than it was and nobody said so.
Run resumed_run(Flags& flags, Settings& settings, const Arguments& arguments,
                const std::filesystem::path& folder);

}  // namespace gradus
