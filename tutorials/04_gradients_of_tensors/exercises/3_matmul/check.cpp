#include "autograd/ops/matmul.h"
#include "tutorials/common/compare.h"

namespace {

using gradus::Index, gradus::Tensor;

void try_out(const std::vector<Index>& of_a, const std::vector<Index>& of_b,
             pocket::Transposed t = {}) {
  const auto drawn = [&](std::vector<Index> sizes, bool transposed, std::uint64_t seed) {
    if (transposed) std::swap(sizes.end()[-2], sizes.end()[-1]);
    return gradus::normal(gradus::Shape(std::span(std::as_const(sizes))), {.seed = seed});
  };
  const Tensor a = drawn(of_a, t.a, 1), b = drawn(of_b, t.b, 2);
  compare(
      gradus::detail::text("a ", a.shape(), t.a ? "^T" : "", ", b ", b.shape(), t.b ? "^T" : ""),
      {a, b}, [&](const auto& x) { return matmul(x[0], x[1], t); },
      [&](const auto& x) { return matmul(x[0], x[1], {.a = t.a, .b = t.b}); }, 1e4);
}

}  // namespace

CHECK_ANSWER() {
  for (const pocket::Transposed t :
       {pocket::Transposed{}, {.b = true}, {.a = true}, {true, true}}) {
    try_out({2, 3}, {3, 5}, t);
    try_out({4, 4}, {4, 4}, t);  // squares: a wrong order fits here
    try_out({6, 19}, {19, 11}, t);
    try_out({2, 3, 2}, {2, 2, 7}, t);
    try_out({2, 3, 2, 5}, {2, 3, 5, 3}, t);
  }
  try_out({2, 3, 5}, {5, 7});  // a matrix for all matrices of a batch
}
