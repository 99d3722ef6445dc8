// rejected: not by gemm()
#include "tutorials/02_the_matrix_product/exercises.h"

void product_with_transposed(const Tensor& a, const Tensor& b, const Tensor& y) {
  const Index m = a.size(0), k = a.size(1), n = b.size(0);
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < n; ++j) {
      Scalar sum = 0;
      for (Index l = 0; l < k; ++l) sum += a.data()[i * k + l] * b.data()[j * k + l];
      y.mutable_data()[i * n + j] = sum;
    }
  }
}
