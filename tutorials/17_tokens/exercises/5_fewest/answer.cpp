// Dynamic programming: the fewest pieces up to each byte, then backwards along the best ones.
#include "tutorials/17_tokens/exercises.h"

std::vector<std::string> fewest(const std::string& word, const std::vector<std::string>& pieces) {
  const std::size_t none = word.size() + 1;
  std::vector<std::size_t> count(word.size() + 1, none), last(word.size() + 1);
  count[0] = 0;
  for (std::size_t end = 1; end <= word.size(); ++end) {
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      const std::size_t size = pieces[k].size();
      if (size == 0 || size > end || word.compare(end - size, size, pieces[k]) != 0) continue;
      if (count[end - size] + 1 < count[end]) count[end] = count[end - size] + 1, last[end] = k;
    }
  }
  std::vector<std::string> cut;
  if (count[word.size()] == none) return cut;
  for (std::size_t end = word.size(); end > 0; end -= pieces[last[end]].size()) {
    cut.insert(cut.begin(), pieces[last[end]]);
  }
  return cut;
}
