// rejected: first learnt
std::string word;
for (const std::int32_t token : tokens) word += pieces[token];
Tokens result;
for (std::size_t at = 0; at < word.size();) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    const bool fits = word.compare(at, pieces[i].size(), pieces[i]) == 0;
    if (fits && (best == 0 || pieces[i].size() > pieces[best].size())) best = i;
  }
  result.push_back(std::int32_t(best));
  at += pieces[best].size();
}
return result;
