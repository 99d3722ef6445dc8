#include "cli/task_data.h"

#include <filesystem>
#include <set>

#include "autograd/check.h"
#include "nn/data/corpus.h"
#include "nn/text/file.h"
#include "nn/text/lines.h"

namespace gradus {
using namespace detail;

void fail_too_few(const std::string& name, std::size_t items, std::size_t texts, const char* line) {
  fail(name, ": has ", texts, " different texts in ", items,
       " examples, too few to hold a tenth out (give 5 or more; are the columns exchanged? A line "
       "is `",
       line, "`)");
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
        " different texts (are the columns exchanged? A line is `label TAB text`)");
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
