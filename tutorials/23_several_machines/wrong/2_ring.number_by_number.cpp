// rejected: called transfer
for (int step = 0; step < size - 1; ++step) {
  const std::span<Scalar> own = part(ranks, numbers, rank - step - 1);
  const std::span<Scalar> out = part(ranks, numbers, rank - step);
  for (std::size_t i = 0; i < std::max(out.size(), own.size()); ++i) {
    ranks.transfer(next, i < out.size() ? out.subspan(i, 1) : out.first(0), before,
                   {&arrived[i], std::size_t(i < own.size())});
  }
  for (std::size_t i = 0; i < own.size(); ++i) own[i] += arrived[i];
}
for (int step = 0; step < size - 1; ++step) {
  const std::span<Scalar> sum = part(ranks, numbers, rank - step + 1);
  ranks.transfer(next, sum, before, part(ranks, numbers, rank - step));
}
