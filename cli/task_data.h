/// @file
/// What all tasks on examples do with their data.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/settings.h"
#include "nn/text/tokenizer.h"

namespace gradus {

/// What is held out depends on the data alone, so that all runs on them compare.
inline constexpr std::uint64_t kDataSeed = 1;
inline constexpr double kHeldOut = 0.1;  ///< the share

/// Leaves the examples that training may see, of which --examples may have asked for fewer.
template <class Item>
void limit(std::vector<Item>& train, std::int64_t examples) {
  if (examples > 0 && examples < std::ssize(train)) {
    train.resize(static_cast<std::size_t>(examples));
  }
}

/// The tokenizer of a checkpoint, or if that is empty one that has learnt from these lines.
std::shared_ptr<const Tokenizer> tokenizer_for(const Settings& settings,
                                               const std::filesystem::path& checkpoint,
                                               const std::string& name, const std::string& lines);

}  // namespace gradus
