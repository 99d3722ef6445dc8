// rejected: keep what is known up to each byte
#include "tutorials/17_tokens/exercises.h"

std::vector<std::string> fewest(const std::string& word, const std::vector<std::string>& pieces) {
  const auto from_left = [&] {
    std::vector<std::string> cut;
    for (std::size_t at = 0; at < word.size();) {
      const std::string* best = nullptr;
      for (const std::string& piece : pieces) {
        if (word.compare(at, piece.size(), piece) != 0) continue;
        if (best == nullptr || piece.size() > best->size()) best = &piece;
      }
      if (best == nullptr) return std::vector<std::string>{};
      cut.push_back(*best), at += best->size();
    }
    return cut;
  };
  const auto from_right = [&] {
    std::vector<std::string> cut;
    for (std::size_t end = word.size(); end > 0;) {
      const std::string* best = nullptr;
      for (const std::string& piece : pieces) {
        if (piece.size() > end || word.compare(end - piece.size(), piece.size(), piece) != 0)
          continue;
        if (best == nullptr || piece.size() > best->size()) best = &piece;
      }
      if (best == nullptr) return std::vector<std::string>{};
      cut.insert(cut.begin(), *best), end -= best->size();
    }
    return cut;
  };
  const std::vector<std::string> a = from_left(), b = from_right();
  return b.empty() || (!a.empty() && a.size() < b.size()) ? a : b;
}
