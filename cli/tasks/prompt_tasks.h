/// @file
/// GPTs on prompts: what `gradus train --model gpt --data` and `gradus finetune` train.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "cli/run/settings.h"
#include "nn/train/task.h"

namespace gradus {

/// Whether --data names a built-in set of prompts: prompts, tweets, french or summaries.
bool is_prompt_set(const std::string& data);

/// A GPT on the prompts that settings.data names, or a file has: new if `checkpoint` is empty, else
/// that folder's, whatever text it has learnt from. Its tokenizer, then, must have a token for a
/// new line; and one that `is_taught` these prompts anew the words of most answers.
/// @throws std::invalid_argument for invalid settings; std::runtime_error for files that
/// cannot be read.
std::unique_ptr<Task> make_prompt_task(const Settings& settings,
                                       const std::filesystem::path& checkpoint,
                                       bool is_taught = false);

}  // namespace gradus
