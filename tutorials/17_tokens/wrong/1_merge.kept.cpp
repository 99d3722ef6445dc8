// rejected: got 116 104 256
for (std::size_t i = 0; i < tokens.size(); ++i) {
  const bool here = i + 1 < tokens.size() && Pair(tokens[i], tokens[i + 1]) == pair;
  result.push_back(tokens[i]);
  if (here) result.push_back(merged), ++i;
}
