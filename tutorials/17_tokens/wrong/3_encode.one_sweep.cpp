// rejected: until no pair is left
Tokens result;
for (const std::int32_t token : tokens) {
  const auto found = result.empty() ? merges.end() : merges.find({result.back(), token});
  if (found == merges.end()) {
    result.push_back(token);
  } else {
    result.back() = found->second;
  }
}
return result;
