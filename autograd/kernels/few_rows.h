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

/// Calls `work.operator()<R, P>(row, j, step)` for the products of R rows of A, from `row` on, with
/// P rows of a matrix: j, j + step, ..., j + (P - 1) step. The calls cover the m rows of A and the
/// rows [begin, end) of the matrix; R is 4 or 1.
///
/// A thread reads P = 4 distant places of the matrix at once. The processor then has more requests
/// to memory open than for one place, or for adjacent rows.
template <class Work>
void at_distant_places(Index m, Index begin, Index end, const Work& work) {
  constexpr Index kPlaces = 4;
  const auto with_all_of_a = [&]<Index P>(Index j, Index step) {
    Index row = 0;
    for (; row + 4 <= m; row += 4) {
      for (Index p = 0; p < P; ++p) work.template operator()<4, 1>(row, j + p * step, 0);
    }
    for (; row < m; ++row) work.template operator()<1, P>(row, j, step);
  };
  const Index step = (end - begin) / kPlaces;
  for (Index j = begin; j < begin + step; ++j) {
    with_all_of_a.template operator()<kPlaces>(j, step);
  }
  for (Index j = begin + kPlaces * step; j < end; ++j) with_all_of_a.template operator()<1>(j, 0);
}

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
