// rejected: a frequent word
std::map<Pair, Index> pairs;
std::int32_t last = -1;
for (const auto& [word, count] : words) {
  for (const std::int32_t token : word) {
    if (last >= 0) pairs[{last, token}] += count;
    last = token;
  }
}
for (const auto& each : pairs) {
  if (each.second > best.second) best = each;
}
