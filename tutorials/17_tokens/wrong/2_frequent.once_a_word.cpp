// rejected: a pair may occur twice in a word
std::map<Pair, Index> pairs;
for (const auto& [word, count] : words) {
  std::set<Pair> inside;
  for (std::size_t i = 1; i < word.size(); ++i) inside.insert({word[i - 1], word[i]});
  for (const Pair& pair : inside) pairs[pair] += count;
}
for (const auto& each : pairs) {
  if (each.second > best.second) best = each;
}
