// rejected: two rows, padded on the right
std::vector<std::int32_t> mask;
for (const std::int32_t token : tokens) mask.push_back(token != padding);
return IndexTensor(tokens.shape(), mask);
