// rejected: equal counts
std::vector<Index> pairs(65536);
for (const auto& [word, count] : words) {
  for (std::size_t i = 1; i < word.size(); ++i) {
    pairs[word[i - 1] % 256 * 256 + word[i] % 256] += count;
  }
}
for (int i = 0; i < 65536; ++i) {
  if (pairs[i] > best.second) best = {{i / 256, i % 256}, pairs[i]};
}
