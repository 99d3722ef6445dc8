// rejected: memory was taken
#include <algorithm>

#include "tutorials/02_the_matrix_product/exercises.h"

void product_with_transposed(const Tensor& a, const Tensor& b, const Tensor& y) {
  const Tensor product = matmul(a, transpose(b));
  std::copy(product.begin(), product.end(), y.mutable_data());
}
