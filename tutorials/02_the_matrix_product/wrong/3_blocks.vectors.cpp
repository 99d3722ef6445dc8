// rejected: memory was taken by operator new
#include "tutorials/02_the_matrix_product/exercises.h"

void multiply(const Block& a, const Block& b, Block& c) {
  const auto cut = [](const Block& x) {
    std::vector<Scalar> y;
    for (Index i = 0; i < x.rows; ++i)
      for (Index j = 0; j < x.columns; ++j)
        y.push_back(x.of.data()[(x.row + i) * x.of.size(1) + x.column + j]);
    return y;
  };
  const std::vector<Scalar> as = cut(a), bs = cut(b);
  gemm(CblasRowMajor, a.transposed ? CblasTrans : CblasNoTrans,
       b.transposed ? CblasTrans : CblasNoTrans, c.rows, c.columns,
       a.transposed ? a.rows : a.columns, 1, as.data(), a.columns, bs.data(), b.columns, 0,
       c.of.mutable_data() + c.row * c.of.size(1) + c.column, c.of.size(1));
}
