// rejected: find() of an unknown character gives npos
for (const char c : text) tokens.push_back(static_cast<std::int32_t>(vocabulary.find(c)));
