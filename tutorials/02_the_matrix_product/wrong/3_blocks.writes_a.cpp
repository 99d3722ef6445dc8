// rejected: a or b has changed
#include "tutorials/02_the_matrix_product/exercises.h"

void multiply(const Block& a, const Block& b, Block& c) {
  for (Index i = 0; i < a.of.size(0); ++i) {
    Tensor x = a.of;  // another handle to the same numbers
    x.mutable_data()[i * x.size(1) + a.column] += 0.5f;
  }
  const auto first = [](const Block& x) { return x.row * x.of.size(1) + x.column; };
  const auto flag = [](const Block& x) { return x.transposed ? CblasTrans : CblasNoTrans; };
  const Index k = a.transposed ? a.rows : a.columns;
  gemm(CblasRowMajor, flag(a), flag(b), c.rows, c.columns, k, 1, a.of.data() + first(a),
       a.of.size(1), b.of.data() + first(b), b.of.size(1), 0, c.of.mutable_data() + first(c),
       c.of.size(1));
}
