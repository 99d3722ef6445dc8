// rejected: 8 ranks, 37 numbers
const std::span<Scalar> own = part(ranks, numbers, rank - step - 1);
ranks.transfer(next, part(ranks, numbers, rank - step), before, {arrived.data(), own.size()});
if (step < 4)
  for (std::size_t i = 0; i < own.size(); ++i) own[i] += arrived[i];
