// rejected: memory was taken
#include <algorithm>

#include "tutorials/02_the_matrix_product/exercises.h"

namespace {

Tensor cut(const Block& x) {
  return slice(slice(x.of, 0, x.row, x.row + x.rows), 1, x.column, x.column + x.columns);
}

}  // namespace

void multiply(const Block& a, const Block& b, const Block& c) {
  const Tensor y = matmul(cut(a), cut(b), {a.transposed, b.transposed});
  for (Index i = 0; i < c.rows; ++i) {
    std::copy_n(y.data() + i * c.columns, c.columns,
                c.of.mutable_data() + (c.row + i) * c.of.size(1) + c.column);
  }
}
