#include "autograd/kernels/dropout_mask.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "autograd/kernels/vector_math.h"

namespace gradus::detail {
namespace {

constexpr Index kLanes = 16;  // of a tile

// The widest register. Philox multiplies 32 bits to 64, so each 64-bit lane holds one word of a
// counter in its lower half. The upper half may hold anything.
typedef std::uint64_t Wide [[gnu::vector_size(kRegisterBytes)]];
typedef std::uint32_t Words [[gnu::vector_size(kRegisterBytes)]];
constexpr Index kWidth = kRegisterBytes / sizeof(std::uint32_t);

/// The products of the lower halves. Plain code would compute 64 x 64 bits.
[[gnu::always_inline]] inline Wide product(Wide a, Wide b) {
#if defined(__AVX512F__)
  // gcc 12 warns of its own header's _mm512_mul_epu32().
  return (Wide)_mm512_maskz_mul_epu32(0xff, (__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
  return (Wide)_mm256_mul_epu32((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
  return (Wide)_mm_mul_epu32((__m128i)a, (__m128i)b);
#else
  return (a & 0xffffffff) * (b & 0xffffffff);
#endif
}

[[gnu::always_inline]] inline Wide everywhere(std::uint64_t value) { return Wide{} + value; }

/// The counters of a vector of blocks, word by word.
struct Counters {
  Wide c0, c1, c2, c3;
};

/// A round of philox4x32().
[[gnu::always_inline]] inline Counters next_round(const Counters& c, Wide k0, Wide k1) {
  const Wide p0 = product(c.c0, everywhere(0xd2511f53));
  const Wide p1 = product(c.c2, everywhere(0xcd9e8d57));
  return {(p1 >> 32) ^ c.c1 ^ k0, p1, (p0 >> 32) ^ c.c3 ^ k1, p0};
}

/// Stores the draws of a word of kWidth blocks: the lower halves, and the upper halves kLanes
/// later.
[[gnu::always_inline]] inline void store(Wide even, Wide odd, std::int32_t* draws) {
  const Words words = (Words)((even & 0xffffffff) | (odd << 32));
  const Words low = words & 0xffff, high = words >> 16;
  std::memcpy(draws, &low, sizeof low);
  std::memcpy(draws + kLanes, &high, sizeof high);
}

void draw_tile(const RandomKey& key, Index tile, std::int32_t* draws) {
  const std::uint64_t first = static_cast<std::uint64_t>(tile) * kLanes;
  for (Index lane = 0; lane < kLanes; lane += kWidth) {
    // Blocks with even and with odd numbers are in separate vectors: side by side in the end, their
    // words are in the order of the blocks.
    Wide numbers;
    for (Index i = 0; i < kWidth / 2; ++i) {
      numbers[i] = first + static_cast<std::uint64_t>(lane + 2 * i);
    }
    const Wide high = everywhere(first >> 32);
    Counters even{numbers, high, everywhere(key.place), everywhere(key.step)};
    Counters odd{numbers + 1, high, everywhere(key.place), everywhere(key.step)};
    auto k0 = static_cast<std::uint32_t>(key.seed);
    auto k1 = static_cast<std::uint32_t>(key.seed >> 32);
#pragma GCC unroll 7
    for (int round = 0; round < 7; ++round) {
      even = next_round(even, everywhere(k0), everywhere(k1));
      odd = next_round(odd, everywhere(k0), everywhere(k1));
      k0 += 0x9e3779b9;
      k1 += 0xbb67ae85;
    }
    store(even.c0, odd.c0, draws + lane);
    store(even.c1, odd.c1, draws + lane + 2 * kLanes);
    store(even.c2, odd.c2, draws + lane + 4 * kLanes);
    store(even.c3, odd.c3, draws + lane + 6 * kLanes);
  }
}

}  // namespace

DropoutMask::DropoutMask(const RandomKey& key, Scalar p)
    : key_(key),
      threshold_(std::min(static_cast<std::int32_t>(std::lround(p * 65536)), 65535)),
      scale_(Scalar(65536) / static_cast<Scalar>(65536 - threshold_)) {}

void DropoutMask::apply(Index first, Index n, const Scalar* x, Scalar* y, Scalar factor) {
  constexpr Index kMost = 4 * kTile;  // at a time, so that the draws stay in the L1 cache
  std::int32_t draws[kMost];
  const std::int32_t threshold = threshold_;
  const Scalar scale = scale_ * factor;
  for (Index done = 0; done < n; done += kMost) {
    const Index count = std::min(kMost, n - done);
    draw(first + done, count, draws);
    for (Index i = 0; i < count; ++i) {
      y[done + i] = draws[i] < threshold ? Scalar(0) : x[done + i] * scale;
    }
  }
}

void DropoutMask::draw(Index first, Index n, std::int32_t* draws) {
  for (Index done = 0; done < n;) {
    const Index tile = (first + done) / kTile, skip = (first + done) % kTile;
    const Index count = std::min(kTile - skip, n - done);
    if (count == kTile) {
      draw_tile(key_, tile, draws + done);
    } else {
      if (tile != in_last_) {
        draw_tile(key_, tile, last_.data());
        in_last_ = tile;
      }
      std::copy_n(last_.data() + skip, count, draws + done);
    }
    done += count;
  }
}

}  // namespace gradus::detail
