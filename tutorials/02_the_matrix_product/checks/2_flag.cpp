#include <sstream>

#include "autograd/kernels/allocator.h"
#include "autograd/more/random.h"
#include "autograd/ops/elementwise.h"
#include "tutorials/02_the_matrix_product/exercises.h"
#include "tutorials/common/check.h"
#include "tutorials/common/count_new.h"

namespace {

/// A matrix amid other numbers, so that one who reads too far meets those.
Tensor amidst(const Shape& shape, std::uint64_t seed) {
  return Tensor(normal({4000}, {.seed = seed}), shape, 1000);
}

/// y = a b with any steps of b, those too that the BLAS would refuse.
Tensor with(const Tensor& a, const Tensor& b, Index down, Index across, Index n) {
  const Tensor y = zeros({a.size(0), n});
  for (Index i = 0; i < a.size(0); ++i) {
    for (Index l = 0; l < a.size(1); ++l) {
      for (Index j = 0; j < n; ++j) {
        y.mutable_data()[i * n + j] += a.at({i, l}) * b.data()[l * down + j * across];
      }
    }
  }
  return y;
}

void hold(Index m, Index n, Index k) {
  const Tensor a = amidst({m, k}, 1), b = amidst({n, k}, 2);
  const Tensor y = normal({m, n}, {.seed = 3}), before = y.clone();
  const std::uint64_t flops = flops_counted();
  count_flops(true);
  no_memory("y = a b^T", [&] { product_with_transposed(a, b, y); });
  count_flops(false);
  const bool by_gemm = flops_counted() != flops;
  const Tensor right = matmul(a, b, {.b = true});
  std::ostringstream what;
  what << "a " << a.shape() << ", b " << b.shape() << " to y " << y.shape();
  // y = b a^T, whose numbers fill the same memory in another order.
  const Tensor turned = reshape(matmul(b, a, {.b = true}), {m, n});
  expect(what.str(), y, right,
         {{before,
           "nothing was written to y. Where SGEMM speaks of an illegal value above, a leading "
           "dimension is smaller than its matrix's rows are long, and it did nothing"},
          {with(a, b, n, 1, n), "b was read as if it were [K, N]: say .transposed = true"},
          {with(a, b, 1, n, n),
           "b's leading dimension is not N: its rows lie K apart, whatever the product makes of "
           "them"},
          {right + before, "what stood in y before was added: beta must be 0"},
          {turned, "y came out transposed: a is the left matrix, [M, N] the result"}});
  if (!by_gemm) red("right, but not by gemm(): let the BLAS do it, with its flag");
}

}  // namespace

int main() {
  return run_check([] {
    hold(12, 20, 17);
    hold(32, 16, 24);
    hold(10, 10, 40);
  });
}
