#include "autograd/kernels/few_rows.h"

#include <algorithm>
#include <cstring>

#include "autograd/kernels/parallel_for.h"
#include "autograd/kernels/rows.h"
#include "autograd/kernels/scratch.h"

namespace gradus::detail {
namespace {

/// With fewer elements of B, a second thread costs more than it saves.
constexpr Index kGrain = 128 * 1024;
/// Rows of B read at once: enough for the processor to prefetch.
constexpr Index kRowsOfB = 16;
/// Columns per tile: they stay in the L1 cache while all rows of A use them.
constexpr Index kColumns = 256;

/// The number of Scalars in the widest vector register. On CPUs with narrower registers, one vector
/// fills several.
constexpr Index kLanes = 64 / sizeof(Scalar);
/// A vector of adjacent numbers, with no alignment required.
typedef Scalar Lanes [[gnu::vector_size(64), gnu::aligned(alignof(Scalar)), gnu::may_alias]];

/// c[j] += sum of alpha a[r] b[r, j] over R rows of B, in order.
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

/// C += alpha A B, as sums of rows of B.
void add_sums(Index m, Index n, Index k, Scalar alpha, const Scalar* a, Index lda, const Scalar* b,
              Index ldb, Scalar* c, Index ldc) {
  const Index columns = m == 1 ? n : kColumns;
  Index i = 0;
  for (; i + kRowsOfB <= k; i += kRowsOfB) {
    for (Index j = 0; j < n; j += columns) {
      for (Index row = 0; row < m; ++row) {
        add_rows<kRowsOfB>(alpha, a + row * lda + i, b + i * ldb + j, ldb, c + row * ldc + j,
                           std::min(columns, n - j));
      }
    }
  }
  for (; i < k; ++i) {
    for (Index row = 0; row < m; ++row) {
      add_rows<1>(alpha, a + row * lda + i, b + i * ldb, ldb, c + row * ldc, n);
    }
  }
}

/// C += alpha A B, split along B's rows: the first part adds to C, the others have their own sums,
/// which are added in order. Inside a parallel_for there are as many parts, computed one after the
/// other. So a row that is computed with a batch, inside a parallel_for, has the same bits as a row
/// that is computed alone, outside.
void add_product(Index m, Index n, Index k, Scalar alpha, const MatrixView& a, const MatrixView& b,
                 Scalar* c, Index ldc) {
  const Index grain = kGrain / (n + 1) + 1;
  const auto parts = static_cast<int>(std::clamp<Index>((k + grain - 1) / grain, 1, num_threads()));
  Scratch others((parts - 1) * m * n);
  parallel_parts(parts, [&](int part) {
    const Index begin = part_begin(k, part, parts), end = part_begin(k, part + 1, parts);
    Scalar* sums = part == 0 ? c : others.data() + (part - 1) * m * n;
    if (part > 0) {
      std::fill_n(sums, m * n, Scalar(0));
    }
    add_sums(m, n, end - begin, alpha, a.data + begin, a.ld, b.data + begin * b.ld, b.ld, sums,
             part == 0 ? ldc : n);
  });
  for (int part = 1; part < parts; ++part) {
    for (Index row = 0; row < m; ++row) {
      const Scalar one[] = {1};
      add_rows<1>(1, one, others.data() + ((part - 1) * m + row) * n, n, c + row * ldc, n);
    }
  }
}

/// c[r * ldc] += alpha times the dot product of row r of A with b, for R rows of A.
///
/// Lanes are added one by one here; row_dot() leaves their number and order to the compiler. So an
/// element of C has the same bits for any R.
template <Index R>
void add_dots_of(Index k, Scalar alpha, const Scalar* a, Index lda, const Scalar* b, Scalar* c,
                 Index ldc) {
  Lanes lanes[R] = {};
  Index i = 0;
  for (; i + kLanes <= k; i += kLanes) {
    const Lanes right = *reinterpret_cast<const Lanes*>(b + i);
    for (Index r = 0; r < R; ++r) {
      lanes[r] += *reinterpret_cast<const Lanes*>(a + r * lda + i) * right;
    }
  }
  if (i < k) {  // the rest, padded with zeros
    const std::size_t rest = static_cast<std::size_t>(k - i) * sizeof(Scalar);
    Lanes left = {}, right = {};
    std::memcpy(&right, b + i, rest);
    for (Index r = 0; r < R; ++r) {
      std::memcpy(&left, a + r * lda + i, rest);
      lanes[r] += left * right;
    }
  }
  for (Index r = 0; r < R; ++r) {
    Scalar sum = 0;
    for (Index lane = 0; lane < kLanes; ++lane) {
      sum += lanes[r][lane];
    }
    c[r * ldc] += alpha * sum;
  }
}

/// C += alpha A B^T, as dot products of rows. Each row of B is read once, from front to back.
void add_dots(Index m, Index n, Index k, Scalar alpha, const MatrixView& a, const MatrixView& b,
              Scalar* c, Index ldc) {
  parallel_for(n, kGrain / (k + 1) + 1, [&](Index begin, Index end) {
    for (Index j = begin; j < end; ++j) {
      const Scalar* row_of_b = b.data + j * b.ld;
      Index row = 0;
      for (; row + 4 <= m; row += 4) {
        add_dots_of<4>(k, alpha, a.data + row * a.ld, a.ld, row_of_b, c + row * ldc + j, ldc);
      }
      for (; row < m; ++row) {
        add_dots_of<1>(k, alpha, a.data + row * a.ld, a.ld, row_of_b, c + row * ldc + j, ldc);
      }
    }
  });
}

}  // namespace

bool has_few_rows(Index m, Index n, Index k, const MatrixView& a, const MatrixView& b) {
  constexpr Index kShortest = 16;  // the inner loop should fill a vector
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

}  // namespace gradus::detail
