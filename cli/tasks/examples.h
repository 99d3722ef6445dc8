/// @file
/// Reads, divides and limits the data of all tasks on examples.
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

/// The held-out part depends only on the data, so that the results of all runs on the same data can
/// be compared.
inline constexpr std::uint64_t kDataSeed = 1;
inline constexpr double kHeldOut = 0.1;  ///< the held-out share

inline constexpr std::size_t kSentences = 6000;  ///< in each built-in set of labelled sentences

/// Fails because there are too few texts to hold some out. `line` shows the format of a line.
/// @throws std::invalid_argument
[[noreturn]] void fail_too_few(const std::string& name, std::size_t items, std::size_t texts,
                               const char* line);

/// Divides the data of this name, and holds out a tenth: see divide().
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
/// The labelled texts of a file: see read_labelled(). Prints on standard error the labels with
/// their counts, and warns of a line that looks like a header, or of quotes.
LabelledSet labelled_file(const std::string& file, const std::vector<std::string>& labels);

/// The same for labelled texts.
/// @throws std::invalid_argument also if there are as many labels as texts, which means that the
/// columns of the file are swapped.
DataSplit<LabelledText> divided(const std::string& name, const LabelledSet& set);

/// All texts of these data, for training and held out.
std::vector<std::string> texts_of(const DataSplit<LabelledText>& data);

/// @throws TextRefused the error, or std::invalid_argument with the line's number if its text is in
/// a file of this name.
[[noreturn]] void fail_at_line(const std::string& file, const TextRefused& error);

/// Calls make(). If it throws because of a text in the file of this name, adds the number of the
/// line to the error.
template <class Make>
auto with_line_numbers(const std::string& file, const Make& make) {
  try {
    return make();
  } catch (const TextRefused& error) {
    fail_at_line(file, error);
  }
}

/// Limits the training examples to --examples. Draws them from all examples, because files are
/// often sorted by label.
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

/// The tokenizer of the checkpoint; if `checkpoint` is empty, a new tokenizer that learns from
/// these lines.
std::shared_ptr<const Tokenizer> tokenizer_for(const Settings& settings,
                                               const std::filesystem::path& checkpoint,
                                               const std::string& name, const std::string& lines);

}  // namespace gradus
