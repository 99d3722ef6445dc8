// rejected: in a ring, a rank sends to next only
for (int step = 0; step < size - 1; ++step) {
  if (step > 0) continue;
  const std::span<Scalar> own = part(ranks, numbers, rank + 1);
  for (int k = 1; k < size; ++k) {
    const int to = (rank + k) % size, from = (rank + size - k) % size;
    ranks.transfer(to, part(ranks, numbers, to + 1), from, {arrived.data(), own.size()});
    for (std::size_t i = 0; i < own.size(); ++i) own[i] += arrived[i];
  }
}
for (int step = 0; step < size - 1; ++step) {
  const std::span<Scalar> sum = part(ranks, numbers, rank - step + 1);
  ranks.transfer(next, sum, before, part(ranks, numbers, rank - step));
}
