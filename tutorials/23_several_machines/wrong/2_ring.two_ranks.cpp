// rejected: 3 ranks
const std::span<Scalar> own = part(ranks, numbers, 1 - rank);
ranks.transfer(next, part(ranks, numbers, rank), before, {arrived.data(), own.size()});
for (std::size_t i = 0; i < own.size(); ++i) own[i] += arrived[i];
