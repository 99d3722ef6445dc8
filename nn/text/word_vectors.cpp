#include "nn/text/word_vectors.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gradus {

std::unordered_map<std::string, std::size_t> WordVectors::rows() const {
  std::unordered_map<std::string, std::size_t> rows;
  for (std::size_t i = 0; i < words.size(); ++i) rows.emplace(words[i], i);
  return rows;
}

std::vector<std::string> nearest_words(const WordVectors& vectors, const std::string& word,
                                       std::size_t count) {
  const auto found = std::ranges::find(vectors.words, word);
  if (found == vectors.words.end()) return {};
  const Index width = vectors.vectors.size(1);
  const auto row = [&](std::size_t i) {
    return vectors.vectors.data() + static_cast<Index>(i) * width;
  };
  const auto dot = [&](const Scalar* a, const Scalar* b) {
    double sum = 0;
    for (Index c = 0; c < width; ++c) sum += static_cast<double>(a[c]) * static_cast<double>(b[c]);
    return sum;
  };
  const auto self = static_cast<std::size_t>(found - vectors.words.begin());
  std::vector<std::pair<double, std::size_t>> order;  // minus the cosine, then the index
  for (std::size_t i = 0; i < vectors.words.size(); ++i) {
    const double norm = std::sqrt(dot(row(i), row(i)));
    if (i != self && norm > 0) order.emplace_back(-dot(row(self), row(i)) / norm, i);
  }
  std::ranges::sort(order);
  order.resize(std::min(order.size(), count));
  std::vector<std::string> nearest;
  for (const auto& [cosine, i] : order) nearest.push_back(vectors.words[i]);
  return nearest;
}

}  // namespace gradus
