// rejected: likely cause: a step sends one part
const std::span<Scalar> own = part(ranks, numbers, rank - step - 1);
std::vector<Scalar> sent(numbers.begin(), numbers.end());
ranks.transfer(next, sent, before, arrived);
const std::size_t first = own.data() - numbers.data();
for (std::size_t i = 0; i < own.size(); ++i) own[i] += arrived[first + i];
