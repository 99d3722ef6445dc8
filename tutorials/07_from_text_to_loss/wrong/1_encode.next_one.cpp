// rejected: a search in order stops at the next character
for (const char c : text) {
  const auto at = std::lower_bound(vocabulary.begin(), vocabulary.end(), c);
  check(at != vocabulary.end(), "encode: the vocabulary has no '", c, "'");
  tokens.push_back(static_cast<std::int32_t>(at - vocabulary.begin()));
}
