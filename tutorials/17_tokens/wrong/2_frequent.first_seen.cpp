// rejected: equal counts
std::vector<std::pair<Pair, Index>> pairs;
for (const auto& [word, count] : words) {
  for (std::size_t i = 1; i < word.size(); ++i) {
    const Pair pair{word[i - 1], word[i]};
    auto found = std::find_if(pairs.begin(), pairs.end(), [&](auto& x) { return x.first == pair; });
    if (found == pairs.end()) found = pairs.insert(pairs.end(), {pair, 0});
    found->second += count;
  }
}
for (const auto& each : pairs) {
  if (each.second > best.second) best = each;
}
