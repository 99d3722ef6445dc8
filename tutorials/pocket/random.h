//! [06 RandomKey]
// Random numbers without a state: each is a function of a key and an index alone.
#pragma once

#include <array>
#include <numbers>

#include "ops.h"

namespace pocket {

/// Names a stream of random numbers. The same key gives the same numbers, whatever came before.
struct RandomKey {
  std::uint64_t seed = 0;   // the user's
  std::uint32_t step = 0;   // of training
  std::uint32_t place = 0;  // within the step
};
//! [06 RandomKey]

//! [06 Philox]
/// Philox4x32-10 (Salmon and others, 2011) shuffles the bits of a counter: four words a block.
inline std::array<std::uint32_t, 4> random_block(const RandomKey& key, std::uint64_t block) {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  std::uint32_t c0 = low(block), c1 = low(block >> 32), c2 = key.place, c3 = key.step;
  std::uint32_t k0 = low(key.seed), k1 = low(key.seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xd2511f53} * c0, p1 = std::uint64_t{0xcd9e8d57} * c2;
    c0 = low(p1 >> 32) ^ c1 ^ k0, c1 = low(p1);
    c2 = low(p0 >> 32) ^ c3 ^ k1, c3 = low(p0);
    k0 += 0x9e3779b9, k1 += 0xbb67ae85;
  }
  return {c0, c1, c2, c3};
}

/// Word i of a stream.
inline std::uint32_t random_word(const RandomKey& key, Index i) {
  return random_block(key, static_cast<std::uint64_t>(i / 4))[i % 4];
}
//! [06 Philox]

//! [06 uniform]
/// Numbers from low to high, each as probable as any other.
inline Tensor uniform(const Shape& shape, const RandomKey& key, Scalar low = 0, Scalar high = 1) {
  Tensor x(shape);
  for (Index i = 0; i < x.size(); ++i) {
    const Scalar u = static_cast<Scalar>(random_word(key, i) >> 8) * Scalar(0x1p-24);  // in [0, 1)
    x.mutable_data()[i] = std::min(low + (high - low) * u, std::nextafter(high, low));
  }
  return x;
}

/// Normal numbers, made of uniform ones in pairs (Box and Muller, 1958).
inline Tensor normal(const Shape& shape, const RandomKey& key, Scalar mean = 0, Scalar std = 1) {
  Tensor x(shape);
  for (Index i = 0; i < x.size(); ++i) {
    const double u = ((random_word(key, i / 2 * 2) >> 8) + 1) * 0x1p-24;  // in (0, 1]
    const double angle = 2 * std::numbers::pi * (random_word(key, i / 2 * 2 + 1) >> 8) * 0x1p-24;
    const double z = std::sqrt(-2 * std::log(u)) * (i % 2 == 0 ? std::cos(angle) : std::sin(angle));
    x.mutable_data()[i] = mean + std * static_cast<Scalar>(z);
  }
  return x;
}

/// A number from 0 to n - 1, n below 2^32; `element` numbers the draws of a stream.
inline Index uniform_index(const RandomKey& key, Index element, Index n) {
  const std::uint64_t low = random_word(key, 2 * element), high = random_word(key, 2 * element + 1);
  const auto count = static_cast<std::uint64_t>(n);
  return static_cast<Index>((high * count + (low * count >> 32)) >> 32);
}
//! [06 uniform]

//! [06 dropout]
/// Sets each element to 0 with probability p, and multiplies the others by 1 / (1 - p).
inline Tensor dropout(const Tensor& x, Scalar p, const RandomKey& key) {
  check(p >= 0 && p < 1, "dropout: the probability must be in [0, 1), got ", p);
  Tensor kept(x.shape());
  for (Index i = 0; i < x.size(); ++i) {
    kept.mutable_data()[i] = random_word(key, i) < p * 0x1p32 ? 0 : 1 / (1 - p);
  }
  return x * kept;
}

}  // namespace pocket
//! [06 dropout]
