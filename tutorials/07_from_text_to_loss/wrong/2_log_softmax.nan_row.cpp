// rejected: -inf minus -inf is NaN
const Scalar* from = x.data() + row;
const Scalar largest = *std::max_element(from, from + n);
Scalar total = 0;
for (Index i = 0; i < n; ++i) total += std::exp(from[i] - largest);
for (Index i = 0; i < n; ++i) y.mutable_data()[row + i] = from[i] - largest - std::log(total);
