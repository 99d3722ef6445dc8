// rejected: add rank 0's number
for (int r = 0; r < size; ++r) {
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (r != rank) own[i] += of[r][i];
  }
}
