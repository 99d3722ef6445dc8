// rejected: words that end and begin alike
std::map<Pair, Index> pairs;
for (const auto& [word, count] : words) {
  for (std::size_t i = 1; i < word.size(); ++i) pairs[std::minmax(word[i - 1], word[i])] += count;
}
for (const auto& each : pairs) {
  if (each.second > best.second) best = each;
}
