// rejected: add in Scalar
for (std::size_t i = 0; i < own.size(); ++i) {
  double sum = 0;
  for (int r = 0; r < size; ++r) sum += double{of[r][i]};
  own[i] = Scalar(sum);
}
