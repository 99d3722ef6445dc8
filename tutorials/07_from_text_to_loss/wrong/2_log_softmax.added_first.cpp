// rejected: subtract the largest first, then ln total
const Scalar* from = x.data() + row;
const Scalar largest = std::max(*std::max_element(from, from + n), Scalar(-1e30));
Scalar total = 0;
for (Index i = 0; i < n; ++i) total += std::exp(from[i] - largest);
const Scalar both = largest + std::log(std::max(total, Scalar(1)));
for (Index i = 0; i < n; ++i) y.mutable_data()[row + i] = from[i] - both;
