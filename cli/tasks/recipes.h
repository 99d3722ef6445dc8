/// @file
/// Recipes: the default sizes of a GPT and of its training.
#pragma once

#include "cli/tasks/settings.h"

namespace gradus {

/// nanoGPT's train_shakespeare_char.
Settings nanogpt_defaults();
/// Our own recipe: the fastest to the loss at which nanoGPT's recipe for one CPU ends.
Settings fast_defaults();
/// The same parts, larger, for the loss of nanoGPT's recipe for a GPU: in bfloat16 where the CPU
/// can.
Settings strong_defaults();
/// The same with more of all, for the bundled tales: ends within 90 seconds on two cores and writes
/// tales.
Settings tales_defaults();

/// The defaults of --recipe fast, strong or nanogpt; nullptr for another name.
Settings (*named_recipe(const std::string& name))();

/// The recipe for a model that has learned much already: few steps, and small ones.
TrainOptions continued_recipe();

/// The highest rate for a model that others trained, as in Devlin and others (2019): what it has
/// learned is soon lost at the rates that suit small models from nothing.
inline constexpr double kPretrainedRate = 5e-5;

}  // namespace gradus
