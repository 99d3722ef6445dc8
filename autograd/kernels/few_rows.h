/// @file
/// Matrix products whose left side has few rows, as in token-by-token generation.
///
/// Such a product does little arithmetic with each weight, and most of its time is spent reading
/// the weights. So each weight is read from memory once, for any number of rows.
#pragma once

#include "autograd/kernels/blas.h"

namespace gradus::detail {

/// @addtogroup kernels
/// @{

/// Whether few_rows_product() can compute this product, and is faster.
bool has_few_rows(Index m, Index n, Index k, const MatrixView& a, const MatrixView& b);

/// C = alpha A op(B) + beta C, with the arguments of gemm(), which calls it; A is not transposed.
///
/// B is split along its rows, so that each thread reads a part of the memory for itself. With the
/// same number of threads, a row of C has the same bits no matter which other rows are computed
/// with it, inside a parallel_for or not.
void few_rows_product(Index m, Index n, Index k, Scalar alpha, const MatrixView& a,
                      const MatrixView& b, Scalar beta, Scalar* c, Index ldc);

/// @}

}  // namespace gradus::detail
