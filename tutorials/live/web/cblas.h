/// @file
/// Replaces OpenBLAS in a browser: the only function that pocket calls is in sgemm.cpp.
#pragma once

enum CBLAS_ORDER { CblasRowMajor = 101 };
enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112 };

/// C = alpha op(A) op(B) + beta C, all stored by rows: op(A) [M, K], op(B) [K, N], C [M, N].
void cblas_sgemm(CBLAS_ORDER order, CBLAS_TRANSPOSE transpose_a, CBLAS_TRANSPOSE transpose_b, int m,
                 int n, int k, float alpha, const float* a, int lda, const float* b, int ldb,
                 float beta, float* c, int ldc);

inline void openblas_set_num_threads(int) {}
