// rejected: expected an error
for (const char c : text) {
  if (vocabulary.find(c) == std::string::npos) continue;
  tokens.push_back(static_cast<std::int32_t>(vocabulary.find(c)));
}
