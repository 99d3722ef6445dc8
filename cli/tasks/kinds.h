/// @file
/// The kinds of models that learn from examples, in one table.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/tasks/settings.h"
#include "nn/train/task.h"

namespace gradus {

/// A kind of model with its examples, for `gradus train --model KIND` and `gradus finetune`.
struct TaskKind {
  ModelKind model;
  std::vector<std::string> sets;         ///< built-in values of --data; the first is the default
  void (*defaults)(Settings& settings);  ///< adapts the defaults of an encoder to this set
  /// Copies sizes and parts from a checkpoint into the settings.
  void (*take_sizes)(Settings& settings, const std::filesystem::path& checkpoint);
  /// Makes the task of these settings: with a new model, or with the checkpoint's model if
  /// `checkpoint` is not empty.
  std::unique_ptr<Task> (*make)(const Settings& settings, const std::filesystem::path& checkpoint);
  /// For kinds that `gradus finetune` can teach: the recipe, and the task for a checkpoint's model.
  /// nullptr for other kinds.
  TrainOptions (*teaching_recipe)() = nullptr;
  std::unique_ptr<Task> (*teach)(const Settings& settings,
                                 const std::filesystem::path& checkpoint) = nullptr;
  bool has_tokens = true;  ///< whether the model reads texts with a tokenizer
};

// Each returns one row of the table.
TaskKind prompts_kind();
TaskKind bert_kind();
TaskKind classifier_kind();
TaskKind translator_kind();
TaskKind vision_kind();

/// All rows of the table.
const std::vector<TaskKind>& task_kinds();
/// The row of this model.
const TaskKind& task_kind(ModelKind model);

/// The default settings: a recipe for the built-in data of this kind that takes about a minute on
/// two cores.
Settings defaults_of(ModelKind model);

/// Makes the task of these settings: with a new model or, if `checkpoint` is not empty, with that
/// folder's model, whose sizes the settings must have.
/// @throws std::invalid_argument for invalid settings; std::runtime_error for files that cannot be
/// read.
std::unique_ptr<Task> make_task(const Settings& settings, const std::filesystem::path& checkpoint);
/// The recipe for fine-tuning a model of this kind.
/// @throws std::invalid_argument if this kind cannot be fine-tuned.
TrainOptions teaching_recipe(ModelKind model);
/// Like make_task(), but gives the checkpoint's model a new task, for gradus finetune.
std::unique_ptr<Task> make_taught(const Settings& settings,
                                  const std::filesystem::path& checkpoint);

/// The sizes, parts and tokenizer of a checkpoint's model, as settings.
/// @throws std::runtime_error naming the file and the fault.
Settings settings_of(const std::filesystem::path& checkpoint);

/// Whether --data names files, not a built-in set.
bool names_files(const std::string& data);

/// The value of --data with absolute paths, so that it is valid from any folder.
std::string absolute_data(const std::string& data);

}  // namespace gradus
