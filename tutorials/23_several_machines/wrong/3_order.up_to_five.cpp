// rejected: by chance
std::copy(of[0].begin(), of[0].end(), own.begin());
for (int r = 1; r < std::min(size, 5); ++r) {
  for (std::size_t i = 0; i < own.size(); ++i) own[i] += of[r][i];
}
