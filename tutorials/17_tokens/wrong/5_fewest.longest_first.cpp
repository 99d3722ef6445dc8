// rejected: the longest first piece
#include "tutorials/17_tokens/exercises.h"

std::vector<std::string> fewest(const std::string& word, const std::vector<std::string>& pieces) {
  std::vector<std::string> cut;
  for (std::size_t at = 0; at < word.size();) {
    const std::string* best = nullptr;
    for (const std::string& piece : pieces) {
      if (word.compare(at, piece.size(), piece) != 0) continue;
      if (best == nullptr || piece.size() > best->size()) best = &piece;
    }
    if (best == nullptr) return {};
    cut.push_back(*best), at += best->size();
  }
  return cut;
}
