// rejected: likely cause: a step sends one part
for (int step = 0; step < size - 1; ++step) {
  const std::span<Scalar> own = part(ranks, numbers, rank - step - 1);
  std::vector<Scalar> sent(numbers.begin(), numbers.end());
  ranks.transfer(next, sent, before, arrived);
  const std::size_t first = own.data() - numbers.data();
  for (std::size_t i = 0; i < own.size(); ++i) own[i] += arrived[first + i];
}
for (int step = 0; step < size - 1; ++step) {
  const std::span<Scalar> sum = part(ranks, numbers, rank - step + 1);
  ranks.transfer(next, sum, before, part(ranks, numbers, rank - step));
}
