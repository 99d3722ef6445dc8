// rejected: only the queries were turned
#include "tutorials/12_positions/exercises.h"

Tensor my_shift(Index distance, Index channels) {
  Tensor m = zeros({channels, channels});
  for (Index k = 0; k < channels / 2; ++k) {
    const double exponent = -2.0 * static_cast<double>(k) / static_cast<double>(channels);
    const double angle = static_cast<double>(distance) * std::pow(10000.0, exponent);
    const auto cosine = static_cast<Scalar>(std::cos(angle));
    const auto sine = static_cast<Scalar>(std::sin(angle));
    Scalar* block = m.mutable_data() + 2 * k * channels + 2 * k;
    block[0] = cosine, block[1] = -sine;
    block[channels] = sine, block[channels + 1] = cosine;
  }
  return m;
}

namespace {

Tensor turned(const Tensor& x) {
  std::vector<Tensor> rows;
  for (Index t = 0; t < x.size(0); ++t) {
    rows.push_back(matmul(slice(x, 0, t, t + 1), my_shift(t, x.size(1))));
  }
  return concat(rows, 0);
}

}  // namespace

Tensor my_turned_scores(const Tensor& q, const Tensor& k) {
  return matmul(turned(q), k, {.b = true});
}
