/// @file
/// For checks: makes the sgemm that pocket calls count its calls. Included before pocket.
#pragma once

#include <cblas.h>

inline int sgemm_calls = 0;

inline void counted_sgemm(CBLAS_ORDER order, CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, blasint m,
                          blasint n, blasint k, float alpha, const float* a, blasint lda,
                          const float* b, blasint ldb, float beta, float* c, blasint ldc) {
  ++sgemm_calls;
  cblas_sgemm(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
#define cblas_sgemm counted_sgemm
