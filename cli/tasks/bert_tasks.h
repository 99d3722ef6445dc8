/// @file
/// What a BERT is taught by commands: masked words of a text, then labels.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/run/settings.h"
#include "nn/data/items.h"
#include "nn/train/task.h"

namespace gradus {

/// Changes the settings of any encoder to a recipe that suits masked words of the fables: about a
/// minute on two cores.
void use_bert_defaults(Settings& settings);

/// Changes the recipe to one that suits labelling with a trained BERT.
void use_bert_label_defaults(Settings& settings);

/// Masked words or, if the checkpoint's model has labels, going on with these.
/// @throws std::invalid_argument for invalid settings; std::runtime_error for files.
std::unique_ptr<Task> bert_task(const Settings& settings, const std::filesystem::path& checkpoint);

/// The labels of the settings' data, for the model of a checkpoint that has others or none.
/// @throws as bert_task()
std::unique_ptr<Task> bert_label_task(const Settings& settings,
                                      const std::filesystem::path& checkpoint);

}  // namespace gradus
