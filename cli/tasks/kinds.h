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

/// A kind of model with its examples: what `gradus train --model KIND` trains, and `gradus
/// finetune` teaches.
struct TaskKind {
  ModelKind model;
  std::vector<std::string> sets;         ///< built-in values of --data; the first is the default
  void (*defaults)(Settings& settings);  ///< changes those of any encoder to a recipe for this set
  /// Takes sizes and parts over from a checkpoint.
  void (*take_sizes)(Settings& settings, const std::filesystem::path& checkpoint);
  /// The task of these settings: with a new model, or if `checkpoint` is not empty with its.
  std::unique_ptr<Task> (*make)(const Settings& settings, const std::filesystem::path& checkpoint);
  /// Of a kind that `gradus finetune` teaches: the recipe, and the task for the model of a
  /// checkpoint, whatever that has learned. nullptr for others.
  TrainOptions (*teaching_recipe)() = nullptr;
  std::unique_ptr<Task> (*teach)(const Settings& settings,
                                 const std::filesystem::path& checkpoint) = nullptr;
  bool has_tokens = true;  ///< whether it reads texts, by a tokenizer
};

// One row of the table each.
TaskKind prompts_kind();
TaskKind bert_kind();
TaskKind classifier_kind();
TaskKind translator_kind();
TaskKind vision_kind();

/// All rows.
const std::vector<TaskKind>& task_kinds();
/// The row of this model.
const TaskKind& task_kind(ModelKind model);

/// The settings to begin with: a recipe that suits the built-in data of this kind on two cores, in
/// about a minute.
Settings defaults_of(ModelKind model);

/// The task that the settings describe: with a new model, or if `checkpoint` is not empty with that
/// folder's, whose sizes the settings must be.
/// @throws std::invalid_argument for invalid settings; std::runtime_error for files that
/// cannot be read.
std::unique_ptr<Task> make_task(const Settings& settings, const std::filesystem::path& checkpoint);
/// The recipe by which a model of this kind is taught.
/// @throws std::invalid_argument if it is not taught.
TrainOptions teaching_recipe(ModelKind model);
/// Like make_task(), but gives the checkpoint's model a new task, whatever it has learned: for
/// gradus finetune.
std::unique_ptr<Task> make_taught(const Settings& settings,
                                  const std::filesystem::path& checkpoint);

/// Sizes, parts and tokenizer of a checkpoint's model, as settings.
/// @throws std::runtime_error naming the file and what is missing or wrong.
Settings settings_of(const std::filesystem::path& checkpoint);

/// Whether --data names files, and not a set that is built in.
bool names_files(const std::string& data);

/// --data with absolute paths, so that it means the same from another folder.
std::string absolute_data(const std::string& data);

}  // namespace gradus
