#include <sstream>

#include "autograd/kernels/allocator.h"
#include "autograd/more/random.h"
#include "autograd/ops/elementwise.h"
#include "tutorials/02_the_matrix_product/exercises.h"
#include "tutorials/common/check.h"
#include "tutorials/common/count_new.h"

namespace {

Tensor cut(const Block& x) {
  return slice(slice(x.of, 0, x.row, x.row + x.rows), 1, x.column, x.column + x.columns);
}

/// What gemm() gives for views that hold a mistake; the numbers of c alone.
Tensor mistaken(const Block& c, Index k, const MatrixView& a, const MatrixView& b) {
  const Tensor y({c.rows, c.columns});
  gemm(c.rows, c.columns, k, 1, a, b, 0, y.mutable_data(), c.columns);
  return y;
}

MatrixView view(const Block& x, Index row, Index column, Index ld, bool transposed) {
  return {.data = x.of.data() + row * x.of.size(1) + column, .ld = ld, .transposed = transposed};
}

void hold(const char* what, const Block& a, const Block& b, const Block& c) {
  const Tensor before = c.of.clone(), before_a = a.of.clone(), before_b = b.of.clone();
  const Tensor right = matmul(cut(a), cut(b), {a.transposed, b.transposed});
  const Tensor old = cut(c);
  const std::uint64_t flops = flops_counted();
  count_flops(true);
  no_memory(what, [&] { multiply(a, b, c); });
  count_flops(false);
  const bool by_gemm = flops_counted() != flops;
  if (a.of.values() != before_a.values() || b.of.values() != before_b.values()) {
    red(std::string(what) + ": a or b has changed");
  }
  for (Index i = 0; i < c.of.size(0); ++i) {
    for (Index j = 0; j < c.of.size(1); ++j) {
      const bool inside =
          i >= c.row && i < c.row + c.rows && j >= c.column && j < c.column + c.columns;
      if (!inside && c.of.at({i, j}) != before.at({i, j})) {
        std::ostringstream message;
        message << what << ": numbers around c have changed, the first in row " << i << ", column "
                << j << " of its matrix: got " << c.of.at({i, j}) << ", expected "
                << before.at({i, j}) << "\nlikely cause: c begins elsewhere (row " << c.row
                << ", column " << c.column << "), or its rows lie " << c.of.size(1) << " apart";
        red(message.str());
      }
    }
  }
  const Index k = a.transposed ? a.rows : a.columns;
  const Index lda = a.of.size(1), ldb = b.of.size(1);
  const auto at = [](const Block& x, Index row, Index column) {
    return view(x, row, column, x.of.size(1), x.transposed);
  };
  const Tensor by_sizes = old.clone();  // the sizes of a and b as they lie
  if (a.rows <= c.rows && b.columns <= c.columns) {
    gemm(a.rows, b.columns, k, 1, at(a, a.row, a.column), at(b, b.row, b.column), 0,
         by_sizes.mutable_data(), c.columns);
  }
  expect(
      what, cut(c), right,
      {{old, "nothing was written to c"},
       {mistaken(c, k, view(a, a.row, a.column, a.columns, a.transposed),
                 view(b, b.row, b.column, b.columns, b.transposed)),
        "a's and b's rows lie as far apart as their matrices are wide, not as the blocks are"},
       {right + old, "what stood in c before was added: beta must be 0"},
       {mistaken(c, k, view(a, a.row, a.column, lda, false), view(b, b.row, b.column, ldb, false)),
        "the flag of a or b was not passed on"},
       {mistaken(c, a.columns, at(a, a.row, a.column), at(b, b.row, b.column)),
        "transposed, a has as many columns as it lies with rows: k is a.rows then"},
       {by_sizes, "m and n are those of c: transposed, b has as many columns as it lies with rows"},
       {mistaken(c, k, at(a, a.column, a.row), at(b, b.column, b.row)),
        "row and column of the first element have changed places"},
       {mistaken(c, k, view(a, a.row, a.column, a.transposed ? a.of.size(0) : lda, a.transposed),
                 view(b, b.row, b.column, b.transposed ? b.of.size(0) : ldb, b.transposed)),
        "the leading dimension is the width of the matrix as it lies, transposed or not"},
       {mistaken(c, k, at(a, a.row, 0), at(b, b.row, 0)), "the first column was forgotten"},
       {mistaken(c, k, at(a, 0, 0), at(b, 0, 0)),
        "blocks were taken from where their matrices begin"}});
  if (!by_gemm) red(std::string(what) + ": right, but not by gemm(): let the BLAS do it");
}

}  // namespace

int main() {
  return run_check([] {
    // Large enough for whatever a mistaken k or ld reads to be numbers of the same matrix.
    const Tensor p = normal({40, 60}, {.seed = 1}), q = normal({50, 70}, {.seed = 2});
    const auto target = [] { return normal({30, 40}, {.seed = 3}); };
    hold("a and b as blocks, c whole", {p, 3, 5, 12, 17}, {q, 7, 11, 17, 20},
         {normal({12, 20}, {.seed = 4}), 0, 0, 12, 20});
    hold("all three as blocks", {p, 3, 5, 12, 17}, {q, 7, 11, 17, 20}, {target(), 4, 6, 12, 20});
    hold("b transposed", {p, 2, 1, 13, 19}, {q, 5, 4, 21, 19, true}, {target(), 1, 2, 13, 21});
    hold("a transposed", {p, 2, 1, 10, 16, true}, {q, 5, 4, 10, 21}, {target(), 1, 2, 16, 21});
    hold("both transposed", {p, 2, 1, 11, 14, true}, {q, 5, 4, 18, 11, true},
         {target(), 9, 8, 14, 18});
    hold("one column, one row", {p, 2, 1, 12, 1}, {q, 5, 4, 1, 20}, {target(), 3, 3, 12, 20});
  });
}
