// rejected: right, but not by gemm()
#include "tutorials/02_the_matrix_product/exercises.h"

void multiply(const Block& a, const Block& b, Block& c) {
  const auto at = [](const Block& x, Index i, Index j) {
    if (x.transposed) std::swap(i, j);
    return x.of.data()[(x.row + i) * x.of.size(1) + x.column + j];
  };
  const Index k = a.transposed ? a.rows : a.columns;
  for (Index i = 0; i < c.rows; ++i)
    for (Index j = 0; j < c.columns; ++j) {
      Scalar sum = 0;
      for (Index l = 0; l < k; ++l) sum += at(a, i, l) * at(b, l, j);
      c.of.mutable_data()[(c.row + i) * c.of.size(1) + c.column + j] = sum;
    }
}
