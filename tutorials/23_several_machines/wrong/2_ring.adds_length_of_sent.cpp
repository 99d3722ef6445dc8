// rejected: an index lies outside its span or vector
for (int step = 0; step < size - 1; ++step) {
  const std::span<Scalar> own = part(ranks, numbers, rank - step - 1);
  ranks.transfer(next, part(ranks, numbers, rank - step), before, {arrived.data(), own.size()});
  for (std::size_t i = 0; i < part(ranks, numbers, rank - step).size(); ++i) own[i] += arrived[i];
}
for (int step = 0; step < size - 1; ++step) {
  const std::span<Scalar> sum = part(ranks, numbers, rank - step + 1);
  ranks.transfer(next, sum, before, part(ranks, numbers, rank - step));
}
