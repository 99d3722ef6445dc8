#include "autograd/kernels/few_rows.h"

#include <algorithm>
#include <array>

#include "autograd/kernels/rows.h"

namespace gradus {
namespace {

/// So many rows of B are in flight at once: enough for the processor to fetch ahead.
constexpr Index kRowsOfB = 16;
/// So many columns of them stay in the first cache while all rows of A meet them.
constexpr Index kColumns = 256;

/// c[j] += sum of alpha a[r] b[r, j] over R rows of B, one after the other.
template <Index R>
void add_rows(Scalar alpha, const Scalar* a, const Scalar* b, Index ldb, Scalar* c, Index n) {
  Scalar factors[R];
  for (Index r = 0; r < R; ++r) {
    factors[r] = alpha * a[r];
  }
#pragma omp simd
  for (Index j = 0; j < n; ++j) {
    Scalar sum = c[j];
    for (Index r = 0; r < R; ++r) {
      sum += factors[r] * b[r * ldb + j];
    }
    c[j] = sum;
  }
}

/// C += alpha A B: sums of rows of B.
void add_product(Index m, Index n, Index k, Scalar alpha, const MatrixView& a, const MatrixView& b,
                 Scalar* c, Index ldc) {
  Index i = 0;
  for (; i + kRowsOfB <= k; i += kRowsOfB) {
    for (Index j = 0; j < n; j += kColumns) {
      for (Index row = 0; row < m; ++row) {
        add_rows<kRowsOfB>(alpha, a.data + row * a.ld + i, b.data + i * b.ld + j, b.ld,
                           c + row * ldc + j, std::min(kColumns, n - j));
      }
    }
  }
  for (; i < k; ++i) {
    for (Index row = 0; row < m; ++row) {
      add_rows<1>(alpha, a.data + row * a.ld + i, b.data + i * b.ld, b.ld, c + row * ldc, n);
    }
  }
}

/// The sums of a[i] b[i] for four rows of A at once, which keeps the processor busier than one.
std::array<Scalar, 4> four_dots(const Scalar* a, Index lda, const Scalar* b, Index k) {
  Scalar s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
  for (Index i = 0; i < k; ++i) {
    s0 += a[i] * b[i];
    s1 += a[lda + i] * b[i];
    s2 += a[2 * lda + i] * b[i];
    s3 += a[3 * lda + i] * b[i];
  }
  return {s0, s1, s2, s3};
}

/// C += alpha A B^T: dot products of rows.
void add_dots(Index m, Index n, Index k, Scalar alpha, const MatrixView& a, const MatrixView& b,
              Scalar* c, Index ldc) {
  for (Index j = 0; j < n; ++j) {
    Index row = 0;
    for (; row + 4 <= m; row += 4) {
      const auto dots = four_dots(a.data + row * a.ld, a.ld, b.data + j * b.ld, k);
      for (Index i = 0; i < 4; ++i) {
        c[(row + i) * ldc + j] += alpha * dots[static_cast<std::size_t>(i)];
      }
    }
    for (; row < m; ++row) {
      c[row * ldc + j] += alpha * row_dot(a.data + row * a.ld, b.data + j * b.ld, k);
    }
  }
}

}  // namespace

bool has_few_rows(Index m, Index n, Index k, const MatrixView& a, const MatrixView& b) {
  constexpr Index kShortest = 16;  // what runs along the inner loop should fill a vector
  return m <= kFewRows && !a.transposed && (b.transposed ? k : n) >= kShortest;
}

void few_rows_product(Index m, Index n, Index k, Scalar alpha, const MatrixView& a,
                      const MatrixView& b, Scalar beta, Scalar* c, Index ldc) {
  for (Index row = 0; row < m; ++row) {
    if (beta == 0) {
      std::fill_n(c + row * ldc, n, Scalar(0));
    } else if (beta != 1) {
      row_scale(c + row * ldc, beta, n);
    }
  }
  (b.transposed ? add_dots : add_product)(m, n, k, alpha, a, b, c, ldc);
}

}  // namespace gradus
