// rejected: 3 ranks
for (int step = 0; step < size - 1; ++step) {
  const std::size_t n = numbers.size() / size;
  const std::size_t to = (rank - step + size) % size * n, at = (rank - step - 1 + size) % size * n;
  ranks.transfer(next, numbers.subspan(to, n), before, {arrived.data(), n});
  for (std::size_t i = 0; i < n; ++i) numbers[at + i] += arrived[i];
}
for (int step = 0; step < size - 1; ++step) {
  const std::span<Scalar> sum = part(ranks, numbers, rank - step + 1);
  ranks.transfer(next, sum, before, part(ranks, numbers, rank - step));
}
