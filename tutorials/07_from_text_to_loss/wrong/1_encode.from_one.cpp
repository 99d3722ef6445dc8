// rejected: the first character of the vocabulary is token 0
for (const char c : text) {
  check(vocabulary.find(c) != std::string::npos, "encode: the vocabulary has no '", c, "'");
  tokens.push_back(static_cast<std::int32_t>(vocabulary.find(c)) + 1);
}
