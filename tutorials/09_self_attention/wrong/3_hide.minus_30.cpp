// rejected: e^-30 is small
for (const std::int32_t visible : mask) values.push_back(visible ? 0 : -30);
