// rejected: argument 1 has changed
const Scalar* from = x.data() + row;
Scalar* own = const_cast<Scalar*>(from);
const Scalar largest = std::max(*std::max_element(own, own + n), Scalar(-1e30));
Scalar total = 0;
for (Index i = 0; i < n; ++i) total += std::exp(own[i] -= largest);
for (Index i = 0; i < n; ++i)
  y.mutable_data()[row + i] = own[i] - std::log(std::max(total, Scalar(1)));
