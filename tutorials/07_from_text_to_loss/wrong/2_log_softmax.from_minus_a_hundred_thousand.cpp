// rejected: a row's largest may be far below 0
const Scalar* from = x.data() + row;
const Scalar largest = std::max(*std::max_element(from, from + n), Scalar(-1e5));
Scalar total = 0;
for (Index i = 0; i < n; ++i) total += std::exp(from[i] - largest);
const Scalar log_total = std::log(total);
for (Index i = 0; i < n; ++i) {
  y.mutable_data()[row + i] =
      total == 0 && from[i] < -1e30F ? from[i] : from[i] - largest - log_total;
}
