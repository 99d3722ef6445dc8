/// @file
/// Recipes: the default sizes of a GPT and of its training.
#pragma once

#include <string>
#include <vector>

#include "cli/tasks/settings.h"

namespace gradus {

/// nanoGPT's train_shakespeare_char.
Settings nanogpt_defaults();
/// Our own recipe: the fastest to reach the final loss of nanoGPT's recipe for one CPU.
Settings fast_defaults();
/// The same parts with larger sizes, for the loss of nanoGPT's recipe for a GPU. Uses bfloat16 if
/// the CPU supports it.
Settings strong_defaults();
/// The same parts, larger still, for the bundled tales: ends within 90 seconds on two cores and
/// writes tales.
Settings tales_defaults();

/// The values of --recipe.
inline const std::vector<std::string> kRecipes = {"own", "fast", "strong", "nanogpt"};

/// The defaults of --recipe fast, strong or nanogpt; nullptr for another name.
Settings (*named_recipe(const std::string& name))();

/// The recipe for a model that is already trained: few steps and a small learning rate.
TrainOptions continued_recipe();

/// The highest learning rate for a pretrained model, as in Devlin and others (2019). The rates that
/// suit small untrained models would soon destroy its weights.
inline constexpr double kPretrainedRate = 5e-5;
/// The highest rate for an adapter of such a model, as in Hu and others (2021) for GPT-2.
inline constexpr double kAdapterRate = 2e-4;
/// The highest rate for preferences with such a model.
inline constexpr double kPreferenceRate = 5e-6;

/// Changes the recipe of a small model for answers to one for preferences: fewer and smaller steps,
/// which end before the better answers become improbable too.
void suit_preferences(TrainOptions& recipe);

}  // namespace gradus
