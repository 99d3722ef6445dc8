// rejected: 2 ranks
for (int r = 0; r < size; ++r) {
  for (std::size_t i = 0; i < own.size(); ++i) own[i] += of[r][i];
}
