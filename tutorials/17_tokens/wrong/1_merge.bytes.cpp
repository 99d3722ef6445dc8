// rejected: tokens may be large
for (std::size_t i = 0; i < tokens.size(); ++i) {
  const bool here = i + 1 < tokens.size() && Pair(tokens[i], tokens[i + 1]) == pair;
  result.push_back(std::int16_t(here ? merged : tokens[i]));
  if (here) ++i;
}
