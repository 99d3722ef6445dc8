/// @file
/// Classifiers of texts and of images: what `gradus train --model classifier` and `vit` train.
#pragma once

#include <filesystem>
#include <memory>

#include "cli/run/settings.h"
#include "nn/train/task.h"

namespace gradus {

/// The recipe for the built-in sentences on two cores: a small model, as its texts are short.
void adopt_classifier_defaults(Settings& settings);
/// The same for the drawn digits.
void adopt_vision_defaults(Settings& settings);

/// A classifier of the texts that settings.data names: new if `checkpoint` is empty, else that
/// folder's.
/// @throws std::invalid_argument for invalid settings; std::runtime_error for files that
/// cannot be read.
std::unique_ptr<Task> make_classification_task(const Settings& settings,
                                               const std::filesystem::path& checkpoint);
/// The same for images.
std::unique_ptr<Task> make_vision_task(const Settings& settings,
                                       const std::filesystem::path& checkpoint);

}  // namespace gradus
