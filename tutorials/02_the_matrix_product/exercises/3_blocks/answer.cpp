// A block begins at row * width + column, and its leading dimension is the width of the whole
// matrix.
#include "tutorials/02_the_matrix_product/exercises.h"

void multiply(const Block& a, const Block& b, Block& c) {
  const auto first = [](const Block& x) { return x.row * x.of.size(1) + x.column; };
  const auto flag = [](const Block& x) { return x.transposed ? CblasTrans : CblasNoTrans; };
  const Index k = a.transposed ? a.rows : a.columns;
  gemm(CblasRowMajor, flag(a), flag(b), c.rows, c.columns, k, 1, a.of.data() + first(a),
       a.of.size(1), b.of.data() + first(b), b.of.size(1), 0, c.of.mutable_data() + first(c),
       c.of.size(1));
}
