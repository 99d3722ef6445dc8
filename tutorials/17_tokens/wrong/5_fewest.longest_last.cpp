// rejected: the longest last piece
#include "tutorials/17_tokens/exercises.h"

std::vector<std::string> fewest(const std::string& word, const std::vector<std::string>& pieces) {
  std::vector<std::string> cut;
  for (std::size_t end = word.size(); end > 0;) {
    const std::string* best = nullptr;
    for (const std::string& piece : pieces) {
      if (piece.size() > end || word.compare(end - piece.size(), piece.size(), piece) != 0)
        continue;
      if (best == nullptr || piece.size() > best->size()) best = &piece;
    }
    if (best == nullptr) return {};
    cut.insert(cut.begin(), *best), end -= best->size();
  }
  return cut;
}
