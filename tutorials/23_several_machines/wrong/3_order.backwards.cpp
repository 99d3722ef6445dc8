// rejected: begin with rank 0
std::copy(of[size - 1].begin(), of[size - 1].end(), own.begin());
for (int r = size - 1; r-- > 0;) {
  for (std::size_t i = 0; i < own.size(); ++i) own[i] += of[r][i];
}
