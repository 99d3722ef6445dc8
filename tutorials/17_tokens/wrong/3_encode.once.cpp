// rejected: until no pair is left
auto first = merges.end();
for (std::size_t i = 1; i < tokens.size(); ++i) {
  const auto found = merges.find({tokens[i - 1], tokens[i]});
  if (found == merges.end()) continue;
  if (first == merges.end() || found->second < first->second) first = found;
}
if (first == merges.end()) return tokens;
return merge(tokens, first->first, first->second);
