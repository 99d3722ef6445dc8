#include "autograd/kernels/narrow_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "autograd/kernels/blas.h"
#include "autograd/kernels/parallel_for.h"
#include "autograd/kernels/scratch.h"
#include "autograd/kernels/vector_math.h"

namespace gradus::detail {
namespace {

/// With fewer weights, a second thread costs more than it saves.
constexpr Index kGrain = 128 * 1024;
/// The number of weights that are widened at once for gemm(): they fit into the L2 cache.
constexpr Index kWidened = 128 * 1024;

/// The number of Scalars in the widest vector register, and of registers for a group.
constexpr Index kLanes = kRegisterBytes / sizeof(Scalar), kParts = kNarrowGroup / kLanes;
// Vectors of adjacent numbers, with no alignment required in memory.
typedef Scalar Lanes
    [[gnu::vector_size(kRegisterBytes), gnu::aligned(alignof(Scalar)), gnu::may_alias]];
typedef float Floats [[gnu::vector_size(kLanes * 4)]];
typedef std::uint32_t Words [[gnu::vector_size(kLanes * 4)]];
typedef std::int32_t Integers [[gnu::vector_size(kLanes * 4)]];
typedef std::uint16_t Halves [[gnu::vector_size(kLanes * 2), gnu::aligned(2), gnu::may_alias]];
typedef std::int8_t Bytes [[gnu::vector_size(kLanes), gnu::aligned(1), gnu::may_alias]];

/// kLanes adjacent numbers as Scalars, without the scale.
[[gnu::always_inline]] inline Lanes widened(const std::uint16_t* from) {
  const Halves halves = *reinterpret_cast<const Halves*>(from);
  const Words bits = __builtin_convertvector(halves, Words) << 16;
  return __builtin_convertvector((Floats)bits, Lanes);
}
[[gnu::always_inline]] inline Lanes widened(const std::int8_t* from) {
  // gcc 12 converts a vector of int8 to int32 number by number. It also warns of its own header's
  // _mm512_cvtepi8_epi32().
#if defined(__AVX512F__) && !defined(GRADUS_DOUBLE)
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  const auto integers = (Integers)_mm512_maskz_cvtepi8_epi32(0xffff, bytes);
#elif defined(__AVX2__) && !defined(GRADUS_DOUBLE)
  const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
  const auto integers = (Integers)_mm256_cvtepi8_epi32(bytes);
#else
  const Bytes bytes = *reinterpret_cast<const Bytes*>(from);
  const Integers integers = __builtin_convertvector(bytes, Integers);
#endif
  return __builtin_convertvector(integers, Lanes);
}

/// The sum of all lanes: the upper half is added to the lower half until one lane is left.
Scalar sum_of(const Lanes& lanes) {
  Scalar sums[kLanes];
  for (Index i = 0; i < kLanes; ++i) sums[i] = lanes[i];
  for (Index half = kLanes / 2; half > 0; half /= 2) {
    for (Index i = 0; i < half; ++i) sums[i] += sums[i + half];
  }
  return sums[0];
}

/// Dot products of a row of weights with R rows of x, which are `ldx` apart: y[r * ldy]. The
/// weights are read once for all rows, and each row is computed as if it were alone.
template <Index R, class Number>
void dots(const Number* w, const std::uint16_t* scales, Index groups, const Scalar* x, Index ldx,
          Scalar* y, Index ldy) {
  Lanes sums[R] = {};
  for (Index g = 0; g < groups; ++g) {
    Lanes wide[kParts];
    for (Index p = 0; p < kParts; ++p) wide[p] = widened(w + g * kNarrowGroup + p * kLanes);
    for (Index r = 0; r < R; ++r) {
      const Lanes* from = reinterpret_cast<const Lanes*>(x + r * ldx + g * kNarrowGroup);
      Lanes sum = wide[0] * from[0];
      for (Index p = 1; p < kParts; ++p) sum += wide[p] * from[p];
      if constexpr (sizeof(Number) == 1) {
        sums[r] += sum * static_cast<Scalar>(from_bfloat16(scales[g]));
      } else {
        sums[r] += sum;
      }
    }
  }
  for (Index r = 0; r < R; ++r) y[r * ldy] = sum_of(sums[r]);
}

/// The product with at most kFewRows rows, x [m, padded()].
template <class Number>
void product_of_few(Index m, const Scalar* x, const NarrowView& w, Scalar* y) {
  const Index n = w.rows, padded = w.padded(), groups = w.groups();
  const auto* numbers = static_cast<const Number*>(w.numbers);
  parallel_for(n, kGrain / (padded + 1) + 1, [=, scales = w.scales](Index begin, Index end) {
    for (Index j = begin; j < end; ++j) {
      const Number* row = numbers + j * padded;
      const std::uint16_t* scale = scales + j * groups;
      Index i = 0;
      for (; i + 4 <= m; i += 4) {
        dots<4>(row, scale, groups, x + i * padded, padded, y + i * n + j, n);
      }
      for (; i < m; ++i) dots<1>(row, scale, groups, x + i * padded, padded, y + i * n + j, n);
    }
  });
}

/// The product with any number of rows, x [m, columns].
void product_of_many(Index m, const Scalar* x, const NarrowView& w, Scalar* y) {
  const Index n = w.rows, k = w.columns;
  const Index block = kWidened / (k + 1) + 1;
  parallel_for(n, kGrain / (m * k + 1) + 1, [=](Index begin, Index end) {
    Scratch wide(std::min(block, end - begin) * k);
    for (Index j = begin; j < end; j += block) {
      const Index count = std::min(block, end - j);
      for (Index row = 0; row < count; ++row) widen_row(w, j + row, wide.data() + row * k);
      gemm(m, count, k, 1, {x, k}, {wide.data(), k, true}, 0, y + j, n);
    }
  });
}

void narrow_to_bfloat16(const Scalar* x, Index columns, Index padded, std::uint16_t* numbers) {
  for (Index i = 0; i < columns; ++i) numbers[i] = to_bfloat16(static_cast<float>(x[i]));
  std::fill(numbers + columns, numbers + padded, std::uint16_t{0});
}

void narrow_to_int8(const Scalar* x, Index columns, Index padded, std::int8_t* numbers,
                    std::uint16_t* scales) {
  std::fill(numbers + columns, numbers + padded, std::int8_t{0});
  for (Index first = 0; first < columns; first += kNarrowGroup, ++scales) {
    const Index end = std::min(first + kNarrowGroup, columns);
    Scalar most = 0;
    for (Index i = first; i < end; ++i) most = std::max(most, std::abs(x[i]));
    const auto ideal = static_cast<float>(most / 127);
    const bool is_zero = ideal < std::numeric_limits<float>::min();
    *scales = is_zero ? 0 : to_bfloat16(ideal);
    // Rounding changes the scale by 1/512 at most: the largest quotient is below 127.5.
    const Scalar scale = is_zero ? std::numeric_limits<Scalar>::infinity()
                                 : static_cast<Scalar>(from_bfloat16(*scales));
    for (Index i = first; i < end; ++i) {
      numbers[i] = static_cast<std::int8_t>(std::nearbyint(x[i] / scale));
    }
  }
}

}  // namespace

void narrow_rows(const NarrowView& w, Index first, Index count, const Scalar* x) {
  const Index columns = w.columns, padded = w.padded(), groups = w.groups();
  parallel_for(count, kGrain / (padded + 1) / 8 + 1, [=](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const Index to = first + row;
      if (w.type == WeightType::kInt8) {
        narrow_to_int8(x + row * columns, columns, padded,
                       static_cast<std::int8_t*>(w.numbers) + to * padded, w.scales + to * groups);
      } else {
        narrow_to_bfloat16(x + row * columns, columns, padded,
                           static_cast<std::uint16_t*>(w.numbers) + to * padded);
      }
    }
  });
}

void widen_row(const NarrowView& w, Index row, Scalar* x) {
  const Index padded = w.padded(), begin = row * padded;
  if (w.type == WeightType::kBfloat16) {
    const std::uint16_t* numbers = static_cast<const std::uint16_t*>(w.numbers) + begin;
    for (Index i = 0; i < w.columns; ++i) x[i] = static_cast<Scalar>(from_bfloat16(numbers[i]));
    return;
  }
  const std::int8_t* numbers = static_cast<const std::int8_t*>(w.numbers) + begin;
  const std::uint16_t* scales = w.scales + row * w.groups();
  for (Index first = 0; first < w.columns; first += kNarrowGroup, ++scales) {
    const auto scale = static_cast<Scalar>(from_bfloat16(*scales));
    const Index end = std::min(first + kNarrowGroup, w.columns);
    for (Index i = first; i < end; ++i) x[i] = scale * static_cast<Scalar>(numbers[i]);
  }
}

void narrow_product(Index m, const Scalar* x, const NarrowView& w, Scalar* y) {
  if (m > kFewRows) {
    product_of_many(m, x, w, y);
    return;
  }
  const Index padded = w.padded();
  Scratch copy(w.columns == padded ? 0 : m * padded);
  if (w.columns != padded) {
    for (Index i = 0; i < m; ++i) {
      Scalar* to = std::copy_n(x + i * w.columns, w.columns, copy.data() + i * padded);
      std::fill_n(to, padded - w.columns, Scalar(0));
    }
    x = copy.data();
  }
  (w.type == WeightType::kInt8 ? product_of_few<std::int8_t> : product_of_few<std::uint16_t>)(m, x,
                                                                                              w, y);
}

}  // namespace gradus::detail
