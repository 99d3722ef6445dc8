// rejected: nan at offset
for (const std::int32_t visible : mask)
  values.push_back(static_cast<Scalar>(1 - visible) * -INFINITY);
