// rejected: not first in the word
for (std::size_t i = 1; i < tokens.size(); ++i) {
  const auto found = merges.find({tokens[i - 1], tokens[i]});
  if (found != merges.end()) return encode_word(merge(tokens, found->first, found->second));
}
return tokens;
