// rejected: a pair may occur twice in a word
std::map<Pair, Index> pairs;
for (const auto& [word, count] : words) {
  if (word.size() == 2) pairs[{word[0], word[1]}] += count;
}
for (const auto& each : pairs) {
  if (each.second > best.second) best = each;
}
