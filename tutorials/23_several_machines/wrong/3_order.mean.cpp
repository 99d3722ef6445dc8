// rejected: this is the mean
std::copy(of[0].begin(), of[0].end(), own.begin());
for (int r = 1; r < size; ++r) {
  for (std::size_t i = 0; i < own.size(); ++i) own[i] += of[r][i];
}
for (Scalar& x : own) x /= Scalar(size);
