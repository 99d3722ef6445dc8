// rejected: the last row may see nothing
for (const std::int32_t visible : mask) values.push_back(visible ? 0 : -1e9f);
