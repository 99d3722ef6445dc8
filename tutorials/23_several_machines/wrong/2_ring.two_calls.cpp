// rejected: send and receive in one call of transfer
const std::span<Scalar> own = part(ranks, numbers, rank - step - 1);
ranks.transfer(next, part(ranks, numbers, rank - step), before, {});
ranks.transfer(next, {}, before, {arrived.data(), own.size()});
for (std::size_t i = 0; i < own.size(); ++i) own[i] += arrived[i];
