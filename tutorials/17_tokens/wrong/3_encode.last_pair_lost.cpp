// rejected: a pair at the end
auto first = merges.end();
for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
  const auto found = merges.find({tokens[i - 1], tokens[i]});
  if (found == merges.end()) continue;
  if (first == merges.end() || found->second < first->second) first = found;
}
if (first == merges.end()) return tokens;
return encode_word(merge(tokens, first->first, first->second));
