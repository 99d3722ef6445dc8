//! [02 sgemm]
// The matrix product, by OpenBLAS.
#pragma once

#include <cblas.h>

#include "tensor.h"

namespace pocket {

#ifdef GRADUS_DOUBLE
inline constexpr auto gemm = cblas_dgemm;
#else
inline constexpr auto gemm = cblas_sgemm;
#endif

/// One thread always adds in the same order; a second thread saves little time in training.
inline const bool one_thread = (openblas_set_num_threads(1), true);
//! [02 sgemm]

//! [02 product]
/// The factors to transpose: sgemm reads their columns as rows, without a copy.
struct Transposed {
  bool a = false, b = false;
};

/// [..., M, K] times [..., K, N] to [..., M, N]: one product for each index before the last two.
inline Tensor product(const Tensor& a, const Tensor& b, Transposed transposed = {}) {
  const auto [ta, tb] = transposed;
  const Index m = a.size(ta ? -1 : -2), k = a.size(ta ? -2 : -1), n = b.size(tb ? -2 : -1);
  Tensor y(a.shape().with(-2, m).with(-1, n));
  check(b.size(tb ? -1 : -2) == k && b.shape().with(-2, m).with(-1, n) == y.shape(),
        "matmul: ", a.shape(), ta ? "^T" : "", " and ", b.shape(), tb ? "^T" : "", " do not fit");
  //! [02.2]
  for (Index i = 0; i * m * n < y.size(); ++i) {
    gemm(CblasRowMajor, ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans, m, n, k, 1,
         a.data() + i * m * k, a.size(-1), b.data() + i * k * n, b.size(-1), 0,
         y.mutable_data() + i * m * n, n);
  }
  //! [02.2]
  return y;
}

}  // namespace pocket
//! [02 product]
