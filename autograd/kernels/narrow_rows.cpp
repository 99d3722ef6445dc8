#include "autograd/kernels/narrow_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <type_traits>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "autograd/kernels/blas.h"
#include "autograd/kernels/few_rows.h"
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
typedef std::int16_t Shorts [[gnu::vector_size(kLanes * 2), gnu::aligned(2), gnu::may_alias]];
typedef std::int8_t Bytes [[gnu::vector_size(kLanes), gnu::aligned(1), gnu::may_alias]];

/// kLanes adjacent numbers as Scalars. gcc 12 widens half a register at a time without the
/// intrinsics.
[[gnu::always_inline]] inline Lanes widened(const std::uint16_t* from) {
#if defined(__AVX512F__) && !defined(GRADUS_DOUBLE)
  const __m256i halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  const auto wide = (Words)_mm512_maskz_cvtepu16_epi32(0xffff, halves);
#elif defined(__AVX2__) && !defined(__AVX512F__) && !defined(GRADUS_DOUBLE)
  const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  const auto wide = (Words)_mm256_cvtepu16_epi32(halves);
#else
  const Halves halves = *reinterpret_cast<const Halves*>(from);
  const auto wide = __builtin_convertvector(halves, Words);
#endif
  return __builtin_convertvector((Floats)(wide << 16), Lanes);
}

/// The sum of all lanes: the upper half is added to the lower half until one lane is left.
Scalar sum_of(Lanes lanes) {
  Scalar sums[kLanes];
  for (Index i = 0; i < kLanes; ++i) sums[i] = lanes[i];
  for (Index half = kLanes / 2; half > 0; half /= 2) {
    for (Index i = 0; i < half; ++i) sums[i] += sums[i + half];
  }
  return sums[0];
}

/// kLanes partial sums, and the dot product of a group of weights with x. They are passed as
/// values: for clang, what a Lanes& refers to is aligned.
[[gnu::always_inline]] inline Lanes with_group(Lanes sums, const std::uint16_t* w, const Scalar* x,
                                               Scalar) {
  const Lanes* from = reinterpret_cast<const Lanes*>(x);
  for (Index p = 0; p < kParts; ++p) sums += widened(w + p * kLanes) * from[p];
  return sums;
}
/// The same with whole numbers, times a scale.
[[gnu::always_inline]] inline Lanes with_group(Lanes sums, const std::int8_t* w,
                                               const std::int16_t* x, Scalar scale) {
  // Whole numbers, in the registers' full width. The largest sum is 32 * 127 * 32767 < 2^31.
#if defined(__AVX512BW__) && !defined(GRADUS_DOUBLE)
  const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(w));
  const auto sum = (Integers)_mm512_madd_epi16(_mm512_cvtepi8_epi16(bytes), _mm512_loadu_si512(x));
#elif defined(__AVX2__) && !defined(__AVX512F__) && !defined(GRADUS_DOUBLE)
  const auto half = [](const std::int8_t* bytes, const std::int16_t* shorts) {
    const __m128i narrow = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
    return (Integers)_mm256_madd_epi16(
        _mm256_cvtepi8_epi16(narrow), _mm256_loadu_si256(reinterpret_cast<const __m256i*>(shorts)));
  };
  const Integers sum = half(w, x) + half(w + 16, x + 16);
#else
  Integers sum = {};
  for (Index p = 0; p < kParts; ++p) {
    const Bytes bytes = *reinterpret_cast<const Bytes*>(w + p * kLanes);
    const Shorts shorts = *reinterpret_cast<const Shorts*>(x + p * kLanes);
    sum += __builtin_convertvector(bytes, Integers) * __builtin_convertvector(shorts, Integers);
  }
#endif
  return sums + __builtin_convertvector(sum, Lanes) * scale;
}

/// Rows of x for products with weights of type Number: x itself, or its int16 numbers with a scale
/// for each group.
template <class Number>
struct Rows {
  const std::conditional_t<sizeof(Number) == 1, std::int16_t, Scalar>* numbers;  ///< [m, padded]
  const Scalar* scales;                                                          ///< [m, groups]
};

/// The bytes ahead that a product asks the processor to fetch; it does not prefetch int8 fast
/// enough by itself.
constexpr Index kAhead = 2048;

/// Products of R rows of x with P adjacent rows of w, which lie together in memory. Each element is
/// computed as if it were alone.
template <Index R, Index P, class Number>
void dots(const Rows<Number>& x, Index row, const NarrowView& w, Index j, Scalar* y) {
  constexpr bool kHasScales = sizeof(Number) == 1;
  constexpr Index kChunk = 16;  // groups whose scales are multiplied at once
  const Index padded = w.padded(), groups = w.groups();
  Lanes sums[R][P] = {};
  Scalar scales[R][P][kChunk];
  for (Index first = 0; first < groups; first += kChunk) {
    const Index count = std::min(kChunk, groups - first);
    if constexpr (kHasScales) {
      for (Index r = 0; r < R; ++r) {
        for (Index p = 0; p < P; ++p) {
          const std::uint16_t* of_w = w.scales + (j + p) * groups + first;
          const Scalar* of_x = x.scales + (row + r) * groups + first;
#pragma omp simd
          for (Index g = 0; g < count; ++g) {
            scales[r][p][g] = static_cast<Scalar>(from_bfloat16(of_w[g])) * of_x[g];
          }
        }
      }
    }
    const Number* from = static_cast<const Number*>(w.numbers) + w.place(j, first);
    for (Index g = 0; g < count; ++g, from += kNarrowRows * kNarrowGroup) {
      if constexpr (kHasScales) {
        for (Index p = 0; p < P; p += 2) __builtin_prefetch(from + p * kNarrowGroup + kAhead);
      }
      for (Index p = 0; p < P; ++p) {
        for (Index r = 0; r < R; ++r) {
          sums[r][p] = with_group(sums[r][p], from + p * kNarrowGroup,
                                  x.numbers + (row + r) * padded + (first + g) * kNarrowGroup,
                                  kHasScales ? scales[r][p][g] : 1);
        }
      }
    }
  }
  for (Index r = 0; r < R; ++r) {
    for (Index p = 0; p < P; ++p) y[(row + r) * w.rows + j + p] = sum_of(sums[r][p]);
  }
}

/// The product with m <= kFewRows rows. All rows of x use a block of kNarrowRows rows of w while it
/// is in the L1 cache.
template <class Number>
void product_of_few(Index m, const Rows<Number>& x, const NarrowView& w, Scalar* y) {
  const Index blocks = w.padded_rows() / kNarrowRows;
  parallel_for(blocks, kGrain / (w.padded() + 1) / kNarrowRows + 1, [=](Index begin, Index end) {
    for (Index j = begin * kNarrowRows; j < std::min(end * kNarrowRows, w.rows); j += kNarrowRows) {
      const Index last = std::min(j + kNarrowRows, w.rows);
      Index row = 0;
      for (; row + 4 <= m; row += 4) {
        for (Index one = j; one < last; ++one) dots<4, 1>(x, row, w, one, y);
      }
      for (; row < m; ++row) {
        if (last - j == kNarrowRows) {
          dots<1, kNarrowRows>(x, row, w, j, y);
        } else {
          for (Index one = j; one < last; ++one) dots<1, 1>(x, row, w, one, y);
        }
      }
    }
  });
}

/// Rounds `groups` groups of x to whole numbers of 16 bits. The scale of a group is its largest
/// magnitude / 32767, or NaN if a number of the group is NaN or infinite.
void round_to_int16(const Scalar* x, Index groups, std::int16_t* numbers, Scalar* scales) {
  for (Index g = 0; g < groups; ++g, x += kNarrowGroup, numbers += kNarrowGroup) {
    Scalar most = 0, nothing = 0;  // nothing becomes NaN if there is a NaN or an infinity
#pragma omp simd reduction(max : most) reduction(+ : nothing)
    for (Index i = 0; i < kNarrowGroup; ++i) {
      most = std::max(most, std::abs(x[i]));
      nothing += x[i] * 0;
    }
    const Scalar scale = most / 32767;
    const bool is_normal = nothing == 0 && scale >= std::numeric_limits<Scalar>::min();
    scales[g] = is_normal ? scale : nothing;
    const Scalar factor = is_normal ? 1 / scale : 0;
#pragma omp simd
    for (Index i = 0; i < kNarrowGroup; ++i) {
      numbers[i] = static_cast<std::int16_t>(std::rint(is_normal ? x[i] * factor : 0));
    }
  }
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

/// Rounds a group, whose missing numbers are 0.
void narrow_group(const Scalar* x, Index count, std::uint16_t* numbers) {
  for (Index i = 0; i < count; ++i) numbers[i] = to_bfloat16(static_cast<float>(x[i]));
  std::fill(numbers + count, numbers + kNarrowGroup, std::uint16_t{0});
}
void narrow_group(const Scalar* x, Index count, std::int8_t* numbers, std::uint16_t* scale) {
  Scalar most = 0;
  for (Index i = 0; i < count; ++i) most = std::max(most, std::abs(x[i]));
  const auto ideal = static_cast<float>(most / 127);
  const bool is_zero = ideal < std::numeric_limits<float>::min();
  *scale = is_zero ? 0 : to_bfloat16(ideal);
  // Rounding changes the scale by 1/512 at most: the largest quotient is below 127.5.
  const Scalar divisor = is_zero ? std::numeric_limits<Scalar>::infinity()
                                 : static_cast<Scalar>(from_bfloat16(*scale));
  for (Index i = 0; i < count; ++i) {
    numbers[i] = static_cast<std::int8_t>(std::nearbyint(x[i] / divisor));
  }
  std::fill(numbers + count, numbers + kNarrowGroup, std::int8_t{0});
}

}  // namespace

void narrow_rows(const NarrowView& w, Index first, Index count, const Scalar* x) {
  const Index columns = w.columns, groups = w.groups();
  parallel_for(count, kGrain / (w.padded() + 1) / 8 + 1, [=](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      for (Index g = 0; g < groups; ++g) {
        const Index done = g * kNarrowGroup, rest = std::min(kNarrowGroup, columns - done);
        const Scalar* from = x + row * columns + done;
        const Index to = w.place(first + row, g);
        if (w.type == WeightType::kInt8) {
          narrow_group(from, rest, static_cast<std::int8_t*>(w.numbers) + to,
                       w.scales + (first + row) * groups + g);
        } else {
          narrow_group(from, rest, static_cast<std::uint16_t*>(w.numbers) + to);
        }
      }
    }
  });
}

void widen_row(const NarrowView& w, Index row, Scalar* x) {
  for (Index g = 0; g < w.groups(); ++g, x += kNarrowGroup) {
    const Index count = std::min(kNarrowGroup, w.columns - g * kNarrowGroup);
    const Index place = w.place(row, g);
    if (w.type == WeightType::kBfloat16) {
      const std::uint16_t* numbers = static_cast<const std::uint16_t*>(w.numbers) + place;
      for (Index i = 0; i < count; ++i) x[i] = static_cast<Scalar>(from_bfloat16(numbers[i]));
    } else {
      const std::int8_t* numbers = static_cast<const std::int8_t*>(w.numbers) + place;
      const auto scale = static_cast<Scalar>(from_bfloat16(w.scales[row * w.groups() + g]));
      for (Index i = 0; i < count; ++i) x[i] = scale * static_cast<Scalar>(numbers[i]);
    }
  }
}

void narrow_product(Index m, const Scalar* x, const NarrowView& w, Scalar* y) {
  if (m > kFewRows) {
    product_of_many(m, x, w, y);
    return;
  }
  const Index padded = w.padded(), groups = w.groups();
  Scratch copy(w.columns == padded ? 0 : m * padded);
  if (w.columns != padded) {
    for (Index i = 0; i < m; ++i) {
      Scalar* to = std::copy_n(x + i * w.columns, w.columns, copy.data() + i * padded);
      std::fill_n(to, padded - w.columns, Scalar(0));
    }
    x = copy.data();
  }
  if (w.type == WeightType::kBfloat16) {
    product_of_few<std::uint16_t>(m, {x, nullptr}, w, y);
    return;
  }
  Scratch rounded(m * padded * 2 / Index{sizeof(Scalar)}), scales(m * groups);
  auto* numbers = new (rounded.data()) std::int16_t[static_cast<std::size_t>(m * padded)];
  round_to_int16(x, m * groups, numbers, scales.data());
  product_of_few<std::int8_t>(m, {numbers, scales.data()}, w, y);
}

}  // namespace gradus::detail
