// rejected: not merged again
for (const std::int32_t token : tokens) {
  if (!result.empty() && Pair(result.back(), token) == pair) {
    result.back() = merged;
  } else {
    result.push_back(token);
  }
}
