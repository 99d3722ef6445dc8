// rejected: is the span you receive into as long as the part that comes?
const std::span<Scalar> own = part(ranks, numbers, rank - step - 1);
ranks.transfer(next, part(ranks, numbers, rank - step), before, arrived);
for (std::size_t i = 0; i < own.size(); ++i) own[i] += arrived[i];
