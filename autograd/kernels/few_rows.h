/// @file
/// Matrix products whose left side has few rows, as when a model writes token by token.
///
/// Such a product does little with each weight: what takes the time is reading them. Each is read
/// from memory once, whatever the number of rows.
#pragma once

#include "autograd/kernels/blas.h"

namespace gradus {

/// @addtogroup kernels
/// @{

/// Up to so many rows this is faster than the BLAS.
inline constexpr Index kFewRows = 8;

/// Whether few_rows_product() can do this product and is the faster way.
bool has_few_rows(Index m, Index n, Index k, const MatrixView& a, const MatrixView& b);

/// C = alpha A op(B) + beta C, as gemm() and for its use; A is not transposed.
///
/// B is cut along its rows, so that each thread reads one piece of memory from end to end. With the
/// same number of threads, a row of C has the same bits whatever rows are computed with it, and
/// inside a parallel_for or not.
void few_rows_product(Index m, Index n, Index k, Scalar alpha, const MatrixView& a,
                      const MatrixView& b, Scalar beta, Scalar* c, Index ldc);

/// @}

}  // namespace gradus
