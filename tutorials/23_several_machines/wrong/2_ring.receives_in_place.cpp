// rejected: likely cause: rank r sends part r - step
const std::span<Scalar> own = part(ranks, numbers, rank - step - 1);
ranks.transfer(next, part(ranks, numbers, rank - step), before, own);
