// rejected: the library says
for (std::size_t i = 0; i < tokens.size(); ++i) {
  const bool here = Pair(tokens[i], tokens.at(i + 1)) == pair;
  result.push_back(here ? merged : tokens[i]);
  if (here) ++i;
}
