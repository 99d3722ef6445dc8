// rejected: add what arrives to your own numbers
const std::span<Scalar> own = part(ranks, numbers, rank - step - 1);
ranks.transfer(next, part(ranks, numbers, rank - step), before, own);
