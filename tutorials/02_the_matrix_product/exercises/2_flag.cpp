// Exercise 02.2, 15 minutes: a product with a transposed matrix, without a copy.
//
// a [M, K], b [N, K] to y [M, N], y = a b^T. y is there already, with other numbers in it. Use
// gemm(), and take no memory at all:
//
//   gemm(m, n, k, alpha, a, b, beta, c, ldc)
//   with a and b as {.data = ..., .ld = ..., .transposed = ...}
#include "tutorials/02_the_matrix_product/exercises.h"

void product_with_transposed(const Tensor& a, const Tensor& b, const Tensor& y) {}
