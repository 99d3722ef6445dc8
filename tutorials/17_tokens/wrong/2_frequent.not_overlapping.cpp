// rejected: 8 8 8 has two pairs
std::map<Pair, Index> pairs;
for (const auto& [word, count] : words) {
  for (std::size_t i = 1; i < word.size(); ++i) {
    pairs[{word[i - 1], word[i]}] += count;
    if (i + 1 < word.size() && word[i - 1] == word[i] && word[i + 1] == word[i]) ++i;
  }
}
for (const auto& each : pairs) {
  if (each.second > best.second) best = each;
}
