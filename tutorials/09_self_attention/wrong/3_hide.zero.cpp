// rejected: nothing is hidden
for (const std::int32_t visible : mask) values.push_back(visible ? 0 : 0);
