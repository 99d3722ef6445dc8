// rejected: a frequent word
std::map<Pair, Index> pairs;
for (const auto& [word, count] : words) {
  for (std::size_t i = 1; i < word.size(); ++i) pairs[{word[i - 1], word[i]}] += 1;
}
for (const auto& each : pairs) {
  if (each.second > best.second) best = each;
}
