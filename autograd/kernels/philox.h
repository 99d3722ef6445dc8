/// @file
/// Counter-based random numbers: each is a pure function of a key and an index. There is no state
/// to store, and neither the order nor the thread in which a number is drawn matters.
///
/// The generator is Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy
/// as 1, 2, 3", SC 2011); dropout draws with fewer rounds (dropout_mask.h). How words become
/// uniform and normal numbers is specified exactly and must not change: resumed runs and stored
/// results depend on it.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include "autograd/scalar.h"

namespace gradus {

/// @addtogroup random
/// @{

/// Four random words, the generator's unit of output.
using PhiloxBlock = std::array<std::uint32_t, 4>;

/// Philox4x32 with `kRounds` rounds: a keyed bijection of 128-bit counters. According to its
/// authors, it passes every test of TestU01's BigCrush from 7 rounds on; 10 leave a margin.
template <int kRounds = 10>
[[gnu::always_inline]] inline PhiloxBlock philox4x32(PhiloxBlock counter,
                                                     std::array<std::uint32_t, 2> key) {
  auto [c0, c1, c2, c3] = counter;
  auto [k0, k1] = key;
#pragma GCC unroll 10  // unrolled, a loop over blocks has a straight body and vectorises
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xd2511f53} * c0;
    const std::uint64_t p1 = std::uint64_t{0xcd9e8d57} * c2;
    c0 = static_cast<std::uint32_t>(p1 >> 32) ^ c1 ^ k0;
    c2 = static_cast<std::uint32_t>(p0 >> 32) ^ c3 ^ k1;
    c1 = static_cast<std::uint32_t>(p1);
    c3 = static_cast<std::uint32_t>(p0);
    k0 += 0x9e3779b9;  // the golden ratio
    k1 += 0xbb67ae85;  // sqrt(3) - 1
  }
  return {c0, c1, c2, c3};
}

/// Identifies one stream of random words: the same key gives the same numbers, in any order and on
/// any thread.
///
/// `seed` is chosen by the user; `step` counts training steps; `place` distinguishes the draws
/// within a step (one dropout layer from the next).
struct RandomKey {
  std::uint64_t seed = 0;   ///< chosen by the user
  std::uint32_t step = 0;   ///< the training step
  std::uint32_t place = 0;  ///< within the step
};

/// Words 4 block to 4 block + 3 of a stream: the counter is {block low, block high, place, step},
/// the key {seed low, seed high}.
[[gnu::always_inline]] inline PhiloxBlock random_block(const RandomKey& key, std::uint64_t block) {
  return philox4x32(
      {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), key.place,
       key.step},
      {static_cast<std::uint32_t>(key.seed), static_cast<std::uint32_t>(key.seed >> 32)});
}

/// Word number `element` of a stream.
inline std::uint32_t bits_at(const RandomKey& key, std::uint64_t element) {
  return random_block(key, element / 4)[element % 4];
}

/// Uniform in [0, 1) from a word: its top 24 bits times 2^-24, which is exact and the same in float
/// and double.
[[gnu::always_inline]] inline Scalar uniform_of(std::uint32_t word) {
  // Through a signed integer, because every vector unit can convert signed integers.
  return static_cast<Scalar>(static_cast<std::int32_t>(word >> 8)) * Scalar{0x1p-24f};
}

/// Uniform number `element` of a stream: uniform_of() of word `element`.
inline Scalar uniform_at(const RandomKey& key, std::uint64_t element) {
  return uniform_of(bits_at(key, element));
}

/// Two independent standard normal numbers from two words: Box and Muller (1958).
///
/// With \f$ u_1 = (\lfloor w_0 / 2^8 \rfloor + 1)\,2^{-24} \f$ in (0, 1],
/// \f$ u_2 = \lfloor w_1 / 2^8 \rfloor\,2^{-24} \f$ in [0, 1) and \f$ r = \sqrt{-2 \ln u_1} \f$
/// they are \f$ r \cos(2 \pi u_2) \f$ and \f$ r \sin(2 \pi u_2) \f$. Computed in double and rounded
/// to Scalar, so that machines agree as far as their double ln, cos and sin do. No result
/// exceeds 5.77 in absolute value.
inline std::array<Scalar, 2> normals_of(std::uint32_t w0, std::uint32_t w1) {
  const double u1 = static_cast<double>((w0 >> 8) + 1) * 0x1p-24;
  const double u2 = static_cast<double>(w1 >> 8) * 0x1p-24;
  const double radius = std::sqrt(-2.0 * std::log(u1));
  const double angle = 2.0 * std::numbers::pi * u2;
  return {static_cast<Scalar>(radius * std::cos(angle)),
          static_cast<Scalar>(radius * std::sin(angle))};
}

/// Normal number `element` of a stream: words 2k and 2k + 1 of the stream give normals 2k and
/// 2k + 1.
inline Scalar normal_at(const RandomKey& key, std::uint64_t element) {
  const PhiloxBlock words = random_block(key, element / 4);
  const std::size_t pair = element % 4 / 2 * 2;
  return normals_of(words[pair], words[pair + 1])[element % 2];
}

/// @}

}  // namespace gradus
