// rejected: in this order
for (std::size_t i = 0; i < tokens.size(); ++i) {
  const Pair next = i + 1 < tokens.size() ? Pair(tokens[i], tokens[i + 1]) : Pair(-1, -1);
  const bool here = next == pair || Pair(next.second, next.first) == pair;
  result.push_back(here ? merged : tokens[i]);
  if (here) ++i;
}
