/// @file
/// The data of all tasks on examples: read, divided and limited.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "autograd/ops/random.h"
#include "cli/tasks/settings.h"
#include "nn/data/items.h"
#include "nn/data/split.h"
#include "nn/tasks/rows.h"
#include "nn/text/tokenizer.h"

namespace gradus {

/// The held-out part depends on the data alone, so that the results of all runs on them compare.
inline constexpr std::uint64_t kDataSeed = 1;
inline constexpr double kHeldOut = 0.1;  ///< the share

inline constexpr std::size_t kSentences = 6000;  ///< of a built-in set of labelled sentences

/// Says that too few texts are there to hold some out. `line` is how a line of them is written.
/// @throws std::invalid_argument
[[noreturn]] void fail_too_few(const std::string& name, std::size_t items, std::size_t texts,
                               const char* line);

/// The data of this name, of which a tenth is held out: see divide().
/// @throws std::invalid_argument if that tenth is empty.
template <class Item>
DataSplit<Item> divided(const std::string& name, const std::vector<Item>& items,
                        std::string Item::*text, const char* line) {
  DataSplit<Item> parts = divide(items, text, kHeldOut, kDataSeed);
  if (parts.held_out.empty()) {
    std::unordered_set<std::string> texts;
    for (const Item& item : items) texts.insert(item.*text);
    fail_too_few(name, items.size(), texts.size(), line);
  }
  return parts;
}
/// The labelled texts of a file: see read_labelled(). Says on standard error which labels were
/// read, how often, and what looks like a header or like quotes.
LabelledSet labelled_file(const std::string& file, const std::vector<std::string>& labels);

/// The same of labelled texts.
/// @throws std::invalid_argument also if there are as many labels as texts: the columns of the file
/// are the wrong way round.
DataSplit<LabelledText> divided(const std::string& name, const LabelledSet& set);

/// All texts of these data, to train on and held out.
std::vector<std::string> texts_of(const DataSplit<LabelledText>& data);

/// @throws TextRefused the error; std::invalid_argument if its text stands in a file of this name,
/// with the number of the line.
[[noreturn]] void fail_at_line(const std::string& file, const TextRefused& error);

/// Calls make(). If a text is refused that stands in the file of this name, the error gets the
/// number of its line.
template <class Make>
auto with_line_numbers(const std::string& file, const Make& make) {
  try {
    return make();
  } catch (const TextRefused& error) {
    fail_at_line(file, error);
  }
}

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

/// The tokenizer of a checkpoint, or if that is empty one that has learned from these lines.
std::shared_ptr<const Tokenizer> tokenizer_for(const Settings& settings,
                                               const std::filesystem::path& checkpoint,
                                               const std::string& name, const std::string& lines);

}  // namespace gradus
