//! [02 matmul]
/// @file
/// The matrix product, by OpenBLAS.
#pragma once

#include <cblas.h>

#include "tensor.h"

namespace pocket {

/// Which factors are taken transposed. Nothing is copied: sgemm reads their columns as rows.
struct Transposed {
  bool a = false;
  bool b = false;
};

/// c = a b for row-major matrices; c is [m, n], and k is the length of the dot products.
inline void gemm(Index m, Index n, Index k, const Scalar* a, const Scalar* b, Scalar* c,
                 Transposed transposed) {
#ifdef GRADUS_DOUBLE
  const auto blas = cblas_dgemm;
#else
  const auto blas = cblas_sgemm;
#endif
  const auto flag = [](bool on) { return on ? CblasTrans : CblasNoTrans; };
  const int lda = static_cast<int>(transposed.a ? m : k);  // the length of a row in memory
  const int ldb = static_cast<int>(transposed.b ? k : n), ldc = static_cast<int>(n);
  blas(CblasRowMajor, flag(transposed.a), flag(transposed.b), static_cast<int>(m), ldc,
       static_cast<int>(k), 1, a, lda, b, ldb, 0, c, ldc);
}

/// The product over the last two axes, [..., M, K] [..., K, N] to [..., M, N], without a gradient.
/// The axes before them number the matrices, and must be equal.
inline Tensor product(const Tensor& a, const Tensor& b, Transposed transposed = {}) {
  const Index m = a.size(transposed.a ? -1 : -2), k = a.size(transposed.a ? -2 : -1);
  const Index n = b.size(transposed.b ? -2 : -1);
  Tensor y(a.shape().with(-2, m).with(-1, n));
  check(b.size(transposed.b ? -1 : -2) == k && b.shape().with(-2, m).with(-1, n) == y.shape(),
        "matmul: needs equal inner sizes and batches, got ", a.shape(),
        transposed.a ? " transposed" : "", " and ", b.shape(), transposed.b ? " transposed" : "");
  for (Index i = 0; i * m * n < y.size(); ++i) {
    gemm(m, n, k, a.data() + i * m * k, b.data() + i * k * n, y.mutable_data() + i * m * n,
         transposed);
  }
  return y;
}

}  // namespace pocket
//! [02 matmul]
