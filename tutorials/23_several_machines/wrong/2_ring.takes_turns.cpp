// rejected: waited for the numbers of the rank before it sent its own
for (int step = 0; step < size - 1; ++step) {
  const std::span<Scalar> own = part(ranks, numbers, rank - step - 1);
  const std::span<Scalar> in = {arrived.data(), own.size()};
  if (rank % 2 == 1) ranks.transfer(next, {}, before, in);
  ranks.transfer(next, part(ranks, numbers, rank - step), before, {});
  if (rank % 2 == 0) ranks.transfer(next, {}, before, in);
  for (std::size_t i = 0; i < own.size(); ++i) own[i] += arrived[i];
}
for (int step = 0; step < size - 1; ++step) {
  const std::span<Scalar> sum = part(ranks, numbers, rank - step + 1);
  ranks.transfer(next, sum, before, part(ranks, numbers, rank - step));
}
