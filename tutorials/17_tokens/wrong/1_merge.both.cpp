// rejected: a token belongs to one pair only
for (std::size_t i = 0; i < tokens.size(); ++i) {
  const bool here = i + 1 < tokens.size() && Pair(tokens[i], tokens[i + 1]) == pair;
  const bool before = i > 0 && Pair(tokens[i - 1], tokens[i]) == pair;
  if (here) result.push_back(merged);
  if (!here && !before) result.push_back(tokens[i]);
}
