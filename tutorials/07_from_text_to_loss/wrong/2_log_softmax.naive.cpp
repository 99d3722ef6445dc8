// rejected: an exponential was infinite
const Scalar* from = x.data() + row;
Scalar total = 0;
for (Index i = 0; i < n; ++i) total += std::exp(from[i]);
for (Index i = 0; i < n; ++i) y.mutable_data()[row + i] = from[i] - std::log(total);
