// rejected: equal counts
std::map<Pair, Index> pairs;
for (const auto& [word, count] : words) {
  for (std::size_t i = 1; i < word.size(); ++i) pairs[{word[i - 1], word[i]}] += count;
}
for (const auto& each : pairs) {
  if (each.second >= best.second) best = each;
}
