// rejected: both tokens must fit
for (std::size_t i = 0; i < tokens.size(); ++i) {
  const bool here = i + 1 < tokens.size() && tokens[i] == pair.first;
  result.push_back(here ? merged : tokens[i]);
  if (here) ++i;
}
