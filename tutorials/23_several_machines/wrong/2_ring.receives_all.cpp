// rejected: The part that arrives may be longer or shorter than the one you send
for (int step = 0; step < size - 1; ++step) {
  const std::span<Scalar> own = part(ranks, numbers, rank - step - 1);
  ranks.transfer(next, part(ranks, numbers, rank - step), before, arrived);
  for (std::size_t i = 0; i < own.size(); ++i) own[i] += arrived[i];
}
for (int step = 0; step < size - 1; ++step) {
  const std::span<Scalar> sum = part(ranks, numbers, rank - step + 1);
  ranks.transfer(next, sum, before, part(ranks, numbers, rank - step));
}
