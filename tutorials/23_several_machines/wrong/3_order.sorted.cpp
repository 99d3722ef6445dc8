// rejected: add rank 0's number
for (std::size_t i = 0; i < own.size(); ++i) {
  std::vector<Scalar> all;
  for (int r = 0; r < size; ++r) all.push_back(of[r][i]);
  std::sort(all.begin(), all.end());
  own[i] = 0;
  for (const Scalar x : all) own[i] += x;
}
