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

/// C = alpha A op(B) + beta C, as gemm(), on the calling thread; A is not transposed.
///
/// A row of C does not depend on which rows are computed with it, nor an element on how the columns
/// are cut: the same bits come out.
void few_rows_product(Index m, Index n, Index k, Scalar alpha, const MatrixView& a,
                      const MatrixView& b, Scalar beta, Scalar* c, Index ldc);

/// @}

}  // namespace gradus
