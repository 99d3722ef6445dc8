#include "cli/tasks/examples.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "autograd/check.h"
#include "cli/program/command.h"
#include "cli/program/display.h"
#include "nn/data/corpus.h"
#include "nn/data/items.h"
#include "nn/data/readers.h"
#include "nn/data/split.h"
#include "nn/files/tokenizer_files.h"
#include "nn/text/file.h"
#include "nn/text/lines.h"

namespace gradus {
using namespace detail;

void fail_too_few(const std::string& name, std::size_t items, std::size_t texts, const char* line) {
  fail(name, ": needs at least 5 different texts, as a tenth is held out, got ", texts, " in ",
       counted(static_cast<long>(items), "example"), " (write one `", line,
       "` per line; perhaps the two columns are swapped)");
}

LabelledSet labelled_file(const std::string& file, const std::vector<std::string>& labels) {
  LabelledSet set = read_labelled(file, labels);
  constexpr std::size_t kListed = 10;
  std::vector<long> counts(set.labels.size());
  for (const LabelledText& item : set.items) {
    ++counts[static_cast<std::size_t>(item.label)];
  }
  std::string list;
  for (std::size_t i = 0; i < std::min(kListed, counts.size()); ++i) {
    list += text(i > 0 ? ", " : "", "'", set.labels[i], "' ", counts[i]);
  }
  const auto lines = static_cast<long>(set.items.size());
  note(text(file, ": ", counted(lines, "line"), " with ",
            counted(static_cast<long>(counts.size()), "label"), ": ", list,
            counts.size() > kListed ? ", ..." : ""));
  const auto first = static_cast<std::size_t>(set.items[0].label);
  if (counts[first] == 1 && std::ranges::count(counts, 1) == 1 && counts.size() > 1) {
    note(text(file, ": the label '", set.labels[first],
              "' occurs only in the first line (if this is a header, remove it)"));
  }
  const bool quoted = std::ranges::any_of(set.labels, [](const std::string& label) {
    return label.size() > 1 && label.starts_with('"') && label.ends_with('"');
  });
  if (quoted) {
    note(file + ": quotes around labels are read as part of the label (remove them from the file)");
  }
  return set;
}

DataSplit<LabelledText> divided(const std::string& name, const LabelledSet& set) {
  std::set<int> labels;
  std::unordered_set<std::string> texts;
  for (const LabelledText& item : set.items) {
    labels.insert(item.label);
    texts.insert(item.text);
  }
  check(labels.size() < texts.size() || labels.size() < 2, name, ": has ", labels.size(),
        " different labels for ", texts.size(),
        " different texts (write one `label TAB text` per line; perhaps the two columns are "
        "swapped)");
  return divided(name, set.items, &LabelledText::text, "label TAB text");
}

std::vector<std::string> texts_of(const DataSplit<LabelledText>& data) {
  std::vector<std::string> texts;
  for (const auto& part : {data.train, data.held_out}) {
    for (const LabelledText& item : part) texts.push_back(item.text);
  }
  return texts;
}

void fail_at_line(const std::string& file, const TextRefused& error) {
  if (!std::filesystem::is_regular_file(file)) throw error;
  std::size_t number = 0, found = 0;
  for_each_line(read_file(file, kLargestText), [&](std::string_view line, bool) {
    ++number;
    if (found == 0 && line.find(error.text()) != line.npos) found = number;
  });
  if (found == 0) throw error;
  fail(file, ": line ", found, ": ", error.what());
}

std::shared_ptr<const Tokenizer> tokenizer_for(const Settings& settings,
                                               const std::filesystem::path& checkpoint,
                                               const std::string& name, const std::string& lines) {
  if (!checkpoint.empty()) {
    return load_tokenizer(checkpoint);
  }
  Text text;
  text.append(name, lines);
  return learn_tokenizer(settings.tokenizer, text, settings.vocab_size);
}

}  // namespace gradus
