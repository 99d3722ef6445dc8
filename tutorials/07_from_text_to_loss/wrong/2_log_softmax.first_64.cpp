// rejected: 2 rows of 100
const Scalar* from = x.data() + row;
const Scalar largest = std::max(*std::max_element(from, from + n), Scalar(-1e30));
Scalar total = 0;
for (Index i = 0; i < std::min(n, Index{64}); ++i) total += std::exp(from[i] - largest);
const Scalar log_total = std::log(std::max(total, Scalar(1)));
for (Index i = 0; i < n; ++i) y.mutable_data()[row + i] = from[i] - largest - log_total;
