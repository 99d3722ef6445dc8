// rejected: its leading dimensions skip what lies between
#include "tutorials/02_the_matrix_product/exercises.h"

void multiply(const Block& a, const Block& b, Block& c) {
  const auto first = [](const Block& x) { return x.row * x.of.size(1) + x.column; };
  const auto flag = [](const Block& x) { return x.transposed ? CblasTrans : CblasNoTrans; };
  const Index k = a.transposed ? a.rows : a.columns;
  for (Index i = 0; i < c.rows; ++i) {
    gemm(CblasRowMajor, flag(a), flag(b), 1, c.columns, k, 1,
         a.of.data() + first(a) + i * (a.transposed ? 1 : a.of.size(1)), a.of.size(1),
         b.of.data() + first(b), b.of.size(1), 0, c.of.mutable_data() + first(c) + i * c.of.size(1),
         c.of.size(1));
  }
}
