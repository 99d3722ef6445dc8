// rejected: what is visible is hidden
for (const std::int32_t visible : mask) values.push_back(visible ? -INFINITY : 0);
