/// @file
/// What all tasks on examples do with their data.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "autograd/random.h"
#include "cli/settings.h"
#include "nn/text/tokenizer.h"

namespace gradus {

/// What is held out depends on the data alone, so that all runs on them compare.
inline constexpr std::uint64_t kDataSeed = 1;
inline constexpr double kHeldOut = 0.1;  ///< the share

inline constexpr std::size_t kSentences = 6000;  ///< of a built-in set of labelled sentences

/// Leaves the examples that training may see, of which --examples may have asked for fewer: drawn
/// from all, as files often have theirs in the order of labels.
template <class Item>
void limit(std::vector<Item>& train, std::int64_t examples) {
  if (examples <= 0 || examples >= std::ssize(train)) {
    return;
  }
  std::vector<Item> drawn;
  for (const Index i : permutation(std::ssize(train), {.seed = kDataSeed})) {
    if (std::ssize(drawn) < examples) {
      drawn.push_back(train[static_cast<std::size_t>(i)]);
    }
  }
  train = std::move(drawn);
}

/// The tokenizer of a checkpoint, or if that is empty one that has learnt from these lines.
std::shared_ptr<const Tokenizer> tokenizer_for(const Settings& settings,
                                               const std::filesystem::path& checkpoint,
                                               const std::string& name, const std::string& lines);

}  // namespace gradus
