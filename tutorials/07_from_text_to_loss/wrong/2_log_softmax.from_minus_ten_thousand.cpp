// rejected: subtract each row's own largest number first
const Scalar* from = x.data() + row;
Scalar largest = -10000;
for (Index i = 0; i < n; ++i) largest = std::max(largest, from[i]);
Scalar total = 0;
for (Index i = 0; i < n; ++i) total += std::exp(from[i] - largest);
for (Index i = 0; i < n; ++i) y.mutable_data()[row + i] = from[i] - largest - std::log(total);
