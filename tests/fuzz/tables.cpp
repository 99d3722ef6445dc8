/// @file
/// Lines with tabs: pairs, preferences and labelled texts.
#include "nn/data/readers.h"
#include "nn/files/parse_json.h"
#include "tests/fuzz/fuzz.h"

namespace gradus {
namespace {

bool is_field(const std::string& text) {
  return !text.empty() && text.find('\t') == std::string::npos &&
         text.find('\n') == std::string::npos;
}

}  // namespace

void fuzz(std::string_view input) {
  static const FuzzFolder folder("tables");
  const std::string file = folder.file("a", input);
  accepts([&] {
    std::string lines;
    std::size_t count = 0;
    for (const SentencePair& pair : read_pairs(file)) {
      holds(is_field(pair.source) && !pair.targets.empty(), "a pair has a source and a target");
      ++count;
      lines += pair.source;
      for (const std::string& target : pair.targets) {
        holds(is_field(target), "a target is a field");
        lines += "\t" + target;
      }
      lines += "\n";
    }
    // A mark at the start of the first field would be skipped as the file's byte order mark.
    if (lines.starts_with(kByteOrderMark)) return;
    holds(read_pairs(folder.file("b", lines)).size() == count, "pairs are read back");
  });
  accepts([&] {
    for (const Preference& each : read_preferences(file)) {
      holds(!each.prompt.empty() && !each.better.empty() && !each.worse.empty(),
            "no part is empty");
    }
  });
  accepts([&] {
    const LabelledSet set = read_labelled(file);
    holds(std::is_sorted(set.labels.begin(), set.labels.end()),
          "labels are in the order of their bytes");
    for (const auto& [text, label] : set.items) {
      holds(label >= 0 && label < std::ssize(set.labels), "a label has a name");
    }
    const LabelledSet again = read_labelled(file, set.labels);
    holds(again.items.size() == set.items.size(), "the same labels can be given");
  });
}

}  // namespace gradus
