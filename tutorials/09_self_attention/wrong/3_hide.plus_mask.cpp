// rejected: weights under a mask
for (const std::int32_t visible : mask) values.push_back(static_cast<Scalar>(visible));
