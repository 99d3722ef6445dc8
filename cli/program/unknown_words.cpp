#include "cli/program/unknown_words.h"

#include <algorithm>
#include <unordered_map>

#include "autograd/check.h"
#include "cli/program/command.h"
#include "nn/tasks/rows.h"

namespace gradus {
using namespace detail;

std::string listed(const std::vector<std::string>& words) {
  constexpr std::size_t kShown = 5;
  std::unordered_map<std::string, std::size_t> index_of;
  std::vector<std::pair<std::string, int>> counts;
  for (const std::string& word : words) {
    const auto [place, is_new] = index_of.emplace(word, counts.size());
    if (is_new) counts.emplace_back(word, 0);
    ++counts[place->second].second;
  }
  std::ranges::stable_sort(counts, std::ranges::greater(), &std::pair<std::string, int>::second);
  std::string out;
  for (std::size_t i = 0; i < std::min(kShown, counts.size()); ++i) {
    const auto& [word, count] = counts[i];
    out += (i > 0 ? ", " : "") + excerpt(word) + (count > 1 ? text(" (", count, " times)") : "");
  }
  return out + (counts.size() > kShown ? text(" and ", counts.size() - kShown, " more") : "");
}

void note_unknown_words(const Tokenizer& tokenizer, const std::vector<std::string>& texts,
                        const std::string& what) {
  std::vector<std::string> unknown;
  for (const std::string& text : texts) {
    std::ranges::move(tokenizer.unknown_words(text), std::back_inserter(unknown));
  }
  if (!unknown.empty()) {
    note(text(what, ": ", counted(static_cast<long>(unknown.size()), "word"),
              " not in the vocabulary, read as unknown: ", listed(unknown)));
  }
}

}  // namespace gradus
