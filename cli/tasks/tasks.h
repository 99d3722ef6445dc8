/// @file
/// The tasks that commands train: model, tokenizer and data, as settings or a checkpoint say.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "cli/run/settings.h"
#include "nn/train/task.h"

namespace gradus {

/// The task that the settings describe: with a new model, or if `checkpoint` is not empty with that
/// folder's, whose sizes the settings must be.
/// @throws std::invalid_argument for invalid settings; std::runtime_error for files that
/// cannot be read.
std::unique_ptr<Task> make_task(const Settings& settings, const std::filesystem::path& checkpoint);

/// Sizes, parts and tokenizer of a checkpoint's model, as settings.
/// @throws std::runtime_error naming the file and what is missing or wrong.
Settings settings_of(const std::filesystem::path& checkpoint);

/// Whether --data names files, and not a set that is built in.
bool names_files(const std::string& data);

/// What --data stands for, so that it means the same from another folder: files' paths become
/// absolute.
std::string absolute_data(const std::string& data);

}  // namespace gradus
