// rejected: from the left
for (std::size_t i = tokens.size(); i-- > 0;) {
  const bool here = i > 0 && Pair(tokens[i - 1], tokens[i]) == pair;
  result.insert(result.begin(), here ? merged : tokens[i]);
  if (here) --i;
}
