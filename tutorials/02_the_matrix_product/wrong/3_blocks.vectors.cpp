// rejected: memory was taken by operator new
#include <vector>

#include "tutorials/02_the_matrix_product/exercises.h"

namespace {

std::vector<Scalar> cut(const Block& x) {
  std::vector<Scalar> numbers;
  for (Index i = 0; i < x.rows; ++i) {
    for (Index j = 0; j < x.columns; ++j) numbers.push_back(x.of.at({x.row + i, x.column + j}));
  }
  return numbers;
}

}  // namespace

void multiply(const Block& a, const Block& b, const Block& c) {
  const Index k = a.transposed ? a.rows : a.columns, ldc = c.of.size(1);
  const std::vector<Scalar> as = cut(a), bs = cut(b);
  gemm(c.rows, c.columns, k, 1, {.data = as.data(), .ld = a.columns, .transposed = a.transposed},
       {.data = bs.data(), .ld = b.columns, .transposed = b.transposed}, 0,
       c.of.mutable_data() + c.row * ldc + c.column, ldc);
}
