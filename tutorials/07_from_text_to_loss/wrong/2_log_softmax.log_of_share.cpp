// rejected: the logarithm of a share that was rounded to 0
const Scalar* from = x.data() + row;
const Scalar largest = *std::max_element(from, from + n);
Scalar total = 0;
for (Index i = 0; i < n; ++i) total += std::exp(from[i] - largest);
for (Index i = 0; i < n; ++i) {
  y.mutable_data()[row + i] = std::log(std::exp(from[i] - largest) / total);
}
