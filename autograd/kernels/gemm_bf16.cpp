#include "autograd/kernels/gemm_bf16.h"

#if defined(__x86_64__) && !defined(GRADUS_DOUBLE)
#include <immintrin.h>

#include <algorithm>

#include "autograd/kernels/scratch.h"

/// Compiles a function for CPUs with AVX512_BF16, whatever the rest of the build is for. Whether it
/// is called is decided when the program runs.
#define GRADUS_BF16 [[gnu::target("avx512f,avx512bw,avx512bf16")]]

namespace gradus {
namespace {

using namespace detail;

/// Two adjacent numbers along k, in bfloat16: the operand of one lane of the instruction, which
/// multiplies and adds pairs.
using Pair = std::int32_t;

// Both operands are packed into panels of 16 lanes (rows of A, columns of B), pair after pair:
// [pairs, 16], filled up with zeros. A tile of C is 8 x 48: 24 registers of sums.
constexpr Index kLanes = 16;
constexpr Index kTileRows = 8, kTilePanels = 3, kTileColumns = kTilePanels * kLanes;

// Block sizes: a block of B is for the L2 cache; a tile's columns of it and a panel of A are for
// the L1 cache.
constexpr Index kDepth = 384, kRows = 192, kColumns = 16 * kTileColumns;

constexpr Index panels(Index lanes) { return (lanes + kLanes - 1) / kLanes; }

/// A mask of the first `count` lanes: no lane if `count` is negative, all if it is above kLanes.
GRADUS_BF16 __mmask16 first(Index count) {
  return static_cast<__mmask16>((1u << std::clamp<Index>(count, 0, kLanes)) - 1);
}

/// Rounds `low` and `high`, each with 16 floats: 16 bfloat16 of `low`, then 16 of `high`.
GRADUS_BF16 __m512i rounded(__m512 low, __m512 high) {
  return (__m512i)_mm512_cvtne2ps_pbh(high, low);
}

// While a panel is packed, the cache lines of the next one are prefetched: these lie apart in
// memory, where the CPU does not prefetch automatically. `lanes` is the number of lanes of this
// panel and all later ones.

/// Packs a panel whose lanes are adjacent in memory; steps along k are `ld` apart.
GRADUS_BF16 void pack_adjacent(const float* x, Index ld, Index lanes, Index depth, Pair* out) {
  alignas(64) std::int16_t places[2 * kLanes];
  for (std::int16_t i = 0; i < kLanes; ++i) {
    places[2 * i] = i;
    places[2 * i + 1] = static_cast<std::int16_t>(i + kLanes);
  }
  const __m512i interleaved = _mm512_load_si512(places);
  const __mmask16 mask = first(lanes);
  const float* const next = x + std::min(kLanes, lanes - 1);
  for (Index k = 0; k < depth; k += 2, out += kLanes) {
    __builtin_prefetch(next + k * ld);
    __builtin_prefetch(next + std::min(k + 1, depth - 1) * ld);
    const __m512 even = _mm512_maskz_loadu_ps(mask, x + k * ld);
    const __m512 odd = _mm512_maskz_loadu_ps(k + 1 < depth ? mask : first(0), x + (k + 1) * ld);
    _mm512_store_si512(out, _mm512_permutexvar_epi16(interleaved, rounded(even, odd)));
  }
}

/// Exchanges the two off-diagonal quarters of each square of 2 S rows and lanes.
template <int S>
GRADUS_BF16 void exchange(__m512i (&rows)[kLanes]) {
  alignas(64) std::int32_t upper[kLanes], lower[kLanes];
  for (std::int32_t i = 0; i < kLanes; ++i) {
    upper[i] = (i & S) != 0 ? kLanes + i - S : i;
    lower[i] = (i & S) != 0 ? kLanes + i : i + S;
  }
  const __m512i to_upper = _mm512_load_si512(upper), to_lower = _mm512_load_si512(lower);
#pragma GCC unroll 16
  for (int i = 0; i < kLanes; ++i) {
    if ((i & S) == 0) {
      const __m512i row = rows[i];
      rows[i] = _mm512_permutex2var_epi32(row, to_upper, rows[i + S]);
      rows[i + S] = _mm512_permutex2var_epi32(row, to_lower, rows[i + S]);
    }
  }
}

/// Packs a panel whose steps along k are adjacent in memory; lanes are `ld` apart.
GRADUS_BF16 void pack_across(const float* x, Index ld, Index lanes, Index depth, Pair* out) {
  for (Index k = 0; k < depth; k += 2 * kLanes) {
    const __mmask16 low = first(depth - k), high = first(depth - k - kLanes);
    const Index next = std::min(k + kLanes, depth - 1) - k;
    __m512i rows[kLanes];
#pragma GCC unroll 16
    for (int i = 0; i < kLanes; ++i) {
      const float* row = x + std::min<Index>(i, lanes - 1) * ld + k;
      const float* const below = x + std::min(i + kLanes, lanes - 1) * ld + k;
      __builtin_prefetch(below);
      __builtin_prefetch(below + next);
      const bool real = i < lanes;
      rows[i] = rounded(_mm512_maskz_loadu_ps(real ? low : first(0), row),
                        _mm512_maskz_loadu_ps(real ? high : first(0), row + kLanes));
    }
    exchange<1>(rows);
    exchange<2>(rows);
    exchange<4>(rows);
    exchange<8>(rows);
#pragma GCC unroll 16
    for (int i = 0; i < kLanes; ++i) {
      if (k + 2 * i < depth) {
        _mm512_store_si512(out + (k / 2 + i) * kLanes, rows[i]);
      }
    }
  }
}

void pack(const float* x, Index ld, bool adjacent, Index lanes, Index depth, Pair* out) {
  for (Index lane = 0; lane < lanes; lane += kLanes, out += (depth + 1) / 2 * kLanes) {
    adjacent ? pack_adjacent(x + lane, ld, lanes - lane, depth, out)
             : pack_across(x + lane * ld, ld, lanes - lane, depth, out);
  }
}

/// C = alpha A B + beta C for a tile of P panels of B, of which only the first `rows` and `columns`
/// exist.
template <int P>
GRADUS_BF16 void tile(const Pair* a, const Pair* b, Index pairs, float alpha, float beta, float* c,
                      Index ldc, Index rows, Index columns) {
  for (Index i = 0; i < std::min(kTileRows, rows); ++i) {  // loads C while the sums are computed
    for (Index j = 0; j < P; ++j) __builtin_prefetch(c + i * ldc + j * kLanes, 1);
  }
  __m512 sums[kTileRows][P];
#pragma GCC unroll 8
  for (int i = 0; i < kTileRows; ++i) {
#pragma GCC unroll 3
    for (int j = 0; j < P; ++j) sums[i][j] = _mm512_setzero_ps();
  }
  for (Index pair = 0; pair < pairs; ++pair) {
    __m512i right[P];
#pragma GCC unroll 3
    for (int j = 0; j < P; ++j) {
      right[j] = _mm512_load_si512(b + (j * pairs + pair) * kLanes);
    }
#pragma GCC unroll 8
    for (int i = 0; i < kTileRows; ++i) {
      const __m512i left = _mm512_set1_epi32(a[pair * kLanes + i]);
#pragma GCC unroll 3
      for (int j = 0; j < P; ++j) {
        sums[i][j] = _mm512_dpbf16_ps(sums[i][j], (__m512bh)left, (__m512bh)right[j]);
      }
    }
  }
  __mmask16 real[P];
  for (int j = 0; j < P; ++j) real[j] = first(columns - j * kLanes);
  const bool added = beta != 0;  // otherwise C may be uninitialised
  const __m512 factor = _mm512_set1_ps(alpha), before = _mm512_set1_ps(beta);
#pragma GCC unroll 8
  for (int i = 0; i < kTileRows; ++i) {
    if (i == rows) return;
#pragma GCC unroll 3
    for (int j = 0; j < P; ++j) {
      float* to = c + i * ldc + j * kLanes;
      __m512 y = _mm512_mul_ps(factor, sums[i][j]);
      if (added) y = _mm512_fmadd_ps(before, _mm512_maskz_loadu_ps(real[j], to), y);
      _mm512_mask_storeu_ps(to, real[j], y);
    }
  }
}

}  // namespace

const char* bfloat16_obstacle() {
  const bool found = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                     __builtin_cpu_supports("avx512bf16");
  return found ? nullptr : "this CPU has no AVX512_BF16";
}

void detail::gemm_bf16(Index m, Index n, Index k, Scalar alpha, const MatrixView& a,
                       const MatrixView& b, Scalar beta, Scalar* c, Index ldc) {
  const Index deepest = (std::min(k, kDepth) + 1) / 2 * kLanes;
  Scratch left(panels(std::min(m, kRows)) * deepest);
  Scratch right(panels(std::min(n, kColumns)) * deepest);
  Pair* const packed_a = reinterpret_cast<Pair*>(left.data());
  Pair* const packed_b = reinterpret_cast<Pair*>(right.data());
  for (Index k0 = 0; k0 < k; k0 += kDepth) {
    const Index depth = std::min(kDepth, k - k0), pairs = (depth + 1) / 2;
    for (Index j0 = 0; j0 < n; j0 += kColumns) {
      const Index columns = std::min(kColumns, n - j0);
      pack(b.data + (b.transposed ? j0 * b.ld + k0 : k0 * b.ld + j0), b.ld, !b.transposed, columns,
           depth, packed_b);
      for (Index i0 = 0; i0 < m; i0 += kRows) {
        const Index rows = std::min(kRows, m - i0);
        pack(a.data + (a.transposed ? k0 * a.ld + i0 : i0 * a.ld + k0), a.ld, a.transposed, rows,
             depth, packed_a);
        for (Index j = 0; j < columns; j += kTileColumns) {
          const Index wide = panels(std::min(kTileColumns, columns - j));
          const auto product = wide == 1 ? tile<1> : wide == 2 ? tile<2> : tile<3>;
          for (Index i = 0; i < rows; i += kTileRows) {
            product(packed_a + i / kLanes * pairs * kLanes + i % kLanes, packed_b + j * pairs,
                    pairs, alpha, k0 == 0 ? beta : 1, c + (i0 + i) * ldc + j0 + j, ldc, rows - i,
                    columns - j);
          }
        }
      }
    }
  }
}

}  // namespace gradus

#else

namespace gradus {

const char* bfloat16_obstacle() {
  return sizeof(Scalar) == 4 ? "this CPU has no AVX512_BF16" : "this build computes in double";
}

void detail::gemm_bf16(Index, Index, Index, Scalar, const MatrixView&, const MatrixView&, Scalar,
                       Scalar*, Index) {}

}  // namespace gradus

#endif
