// rejected: expected an error
for (const char c : text) {
  tokens.push_back(static_cast<std::int32_t>(vocabulary.find(c)));
}
check(tokens.empty() || tokens.back() >= 0, "encode: an unknown character");
