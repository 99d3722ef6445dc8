// rejected: the last token has no right neighbour
for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
  const bool here = Pair(tokens[i], tokens[i + 1]) == pair;
  result.push_back(here ? merged : tokens[i]);
  if (here) ++i;
}
