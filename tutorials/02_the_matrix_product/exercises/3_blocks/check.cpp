#include "autograd/ops/matmul.h"
#include "autograd/ops/random.h"
#include "autograd/ops/shape.h"
#include "tutorials/02_the_matrix_product/exercises.h"
#include "tutorials/common/count_new.h"

namespace {

Tensor random(const Shape& shape, std::uint64_t seed) {
  const gradus::Tensor x = gradus::normal({shape.size()}, {.seed = seed});
  return tensor(shape, {x.begin(), x.end()});
}

gradus::Tensor cut(const Block& x) {
  const gradus::Tensor all = gradus::as_library(x.of);
  return gradus::slice(gradus::slice(all, 0, x.row, x.row + x.rows), 1, x.column,
                       x.column + x.columns);
}

void hold(const char* what, const Block& a, const Block& b, Block c) {
  const std::vector<Scalar> before(c.of.begin(), c.of.end());
  const std::vector<Scalar> before_a(a.of.begin(), a.of.end()), before_b(b.of.begin(), b.of.end());
  const bool was_nan = std::isnan(c.of.data()[c.row * c.of.size(1) + c.column]);
  const gradus::Tensor right = gradus::matmul(cut(a), cut(b), {a.transposed, b.transposed});
  sgemm_calls = 0;
  gradus::no_memory(
      what, [&] { multiply(a, b, c); }, 64);  // a handle takes a little
  const int calls = sgemm_calls;              // before the library makes its own
  if (!std::equal(a.of.begin(), a.of.end(), before_a.begin()) ||
      !std::equal(b.of.begin(), b.of.end(), before_b.begin())) {
    gradus::red(what, ": a or b has changed");
  }
  for (Index i = 0; i < c.of.size(0); ++i) {
    for (Index j = 0; j < c.of.size(1); ++j) {
      const bool inside =
          i >= c.row && i < c.row + c.rows && j >= c.column && j < c.column + c.columns;
      const Index at = i * c.of.size(1) + j;
      if (!inside && c.of.data()[at] != before[at]) {
        gradus::red(what, ": numbers around c have changed, the first in row ", i, ", column ", j,
                    " of its matrix: got ", c.of.data()[at], ", expected ", before[at],
                    "\nlikely cause: c begins elsewhere (row ", c.row, ", column ", c.column,
                    "), or its rows are ", c.of.size(1), " apart");
      }
    }
  }
  const gradus::Tensor got = cut(c);
  if (was_nan && std::any_of(got.begin(), got.end(), [](Scalar x) { return std::isnan(x); })) {
    gradus::red(what,
                ": not a number, as before\nlikely cause: what was in c still counts, and NaN "
                "times 0 is NaN; with beta 0, sgemm does not read c");
  }
  gradus::expect(what, got, right);
  if (calls == 0) gradus::red(what, ": right, but not by gemm(): let sgemm do it");
  if (calls > 1) {
    gradus::red(what, ": right, but by ", calls,
                " calls of gemm(): one is enough, its leading dimensions skip what lies between");
  }
}

}  // namespace

CHECK_ANSWER() {
  // Large enough for whatever a mistaken k or ld reads to be numbers of the same matrix.
  const Tensor p = random({40, 60}, 1), q = random({50, 70}, 2);
  const auto target = [] { return random({30, 40}, 3); };
  hold("a and b as blocks, c whole", {p, 3, 5, 12, 17}, {q, 7, 11, 17, 20},
       {random({12, 20}, 4), 0, 0, 12, 20});
  hold("all three as blocks", {p, 3, 5, 12, 17}, {q, 7, 11, 17, 20}, {target(), 4, 6, 12, 20});
  hold("b transposed", {p, 2, 1, 13, 19}, {q, 5, 4, 21, 19, true}, {target(), 1, 2, 13, 21});
  hold("a transposed", {p, 2, 1, 10, 16, true}, {q, 5, 4, 10, 21}, {target(), 1, 2, 16, 21});
  hold("both transposed", {p, 2, 1, 11, 14, true}, {q, 5, 4, 18, 11, true},
       {target(), 9, 8, 14, 18});
  Tensor nan = target();
  for (Index i = 0; i < 12; ++i)
    for (Index j = 0; j < 20; ++j) nan.mutable_data()[(4 + i) * 40 + 6 + j] = NAN;
  hold("c was not a number", {p, 3, 5, 12, 17}, {q, 7, 11, 17, 20}, {nan, 4, 6, 12, 20});
  hold("one column, one row", {p, 2, 1, 12, 1}, {q, 5, 4, 1, 20}, {target(), 3, 3, 12, 20});
}
