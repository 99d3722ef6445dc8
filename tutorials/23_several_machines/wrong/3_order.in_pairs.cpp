// rejected: add rank 0's number
for (int step = 1; step < size; step *= 2) {
  for (int r = 0; r + step < size; r += 2 * step) {
    for (std::size_t i = 0; i < own.size(); ++i) of[r][i] += of[r + step][i];
  }
}
std::copy(of[0].begin(), of[0].end(), own.begin());
