// rejected: argument 1 has changed
#include <algorithm>

#include "tutorials/07_from_text_to_loss/exercises.h"

Tensor my_log_softmax(const Tensor& x) {
  const Tensor y = x;
  const Index v = x.size(-1);
  for (Index i = 0; i < x.size() / v; ++i) {
    Scalar* row = y.mutable_data() + i * v;
    const Scalar most = *std::max_element(row, row + v);
    double total = 0;
    for (Index j = 0; j < v; ++j) total += std::exp(double{row[j]} - most);
    for (Index j = 0; j < v; ++j) row[j] = row[j] - most - static_cast<Scalar>(std::log(total));
  }
  return y;
}
