// rejected: memory was taken by operator new
#include <vector>

#include "tutorials/02_the_matrix_product/exercises.h"

void product_with_transposed(const Tensor& a, const Tensor& b, const Tensor& y) {
  const Index m = a.size(0), k = a.size(1), n = b.size(0);
  std::vector<Scalar> turned(static_cast<std::size_t>(k * n));
  for (Index j = 0; j < n; ++j) {
    for (Index l = 0; l < k; ++l) turned[static_cast<std::size_t>(l * n + j)] = b.data()[j * k + l];
  }
  gemm(m, n, k, 1, {.data = a.data(), .ld = k}, {.data = turned.data(), .ld = n}, 0,
       y.mutable_data(), n);
}
