// rejected: every occurrence is merged
bool done = false;
for (std::size_t i = 0; i < tokens.size(); ++i) {
  const bool here = !done && i + 1 < tokens.size() && Pair(tokens[i], tokens[i + 1]) == pair;
  result.push_back(here ? merged : tokens[i]);
  if (here) ++i, done = true;
}
