// rejected: two rows of 700 tokens
std::vector<std::int32_t> mask;
for (const std::int32_t token : tokens) mask.push_back(token != padding || mask.size() >= 500);
return IndexTensor({tokens.size(0), 1, 1, tokens.size(1)}, mask);
