// rejected: the tokens are in reverse order
for (const char c : text) {
  check(vocabulary.find(c) != std::string::npos, "encode: the vocabulary has no '", c, "'");
  tokens.insert(tokens.begin(), static_cast<std::int32_t>(vocabulary.find(c)));
}
