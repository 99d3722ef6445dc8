/// @file
/// Selects the elements that dropout keeps, with a pure function of a key and the element's
/// position. So the mask is never stored, and it is the same in the forward and the backward pass,
/// on all threads and in resumed runs.
#pragma once

#include <array>
#include <cstdint>

#include "autograd/kernels/philox.h"
#include "autograd/scalar.h"

namespace gradus::detail {

/// @addtogroup kernels
/// @{

/// Selects the elements to drop from their positions, for one key and probability.
///
/// Element e has draw e of the key, a number of 16 bits. Draws below round(p 2^16) drop the
/// element, so p is rounded to a multiple of 2^-16. Kept elements are multiplied by 1 / (1 - p)
/// with the rounded p, and the expectation is exact. If p rounds to 1, the largest multiple below 1
/// is used.
///
/// Draws come from Philox4x32-7, eight from each block of 128 bits; with 7 rounds it passes all of
/// BigCrush, as with 10 (Salmon and others, 2011). A tile of 128 draws comes from 16 blocks, in an
/// order that needs no shuffling of vectors: draw 128 t + 16 part + lane is the lower (even part)
/// or the upper (odd part) half of word part / 2 of block 16 t + lane. A block has the counter and
/// the key of random_block(). None of this must change: resumed runs depend on it.
class DropoutMask {
 public:
  /// The mask of `key` for a p in [0, 1).
  DropoutMask(const RandomKey& key, Scalar p);

  /// y[i] = factor times x[i] after dropout, for i in [0, n), where x[i] is element first + i.
  /// Dropped elements become 0, whatever x is. y may be x. Fastest if calls go through the elements
  /// in order: the last tile is kept.
  void apply(Index first, Index n, const Scalar* x, Scalar* y, Scalar factor = 1);

  /// Writes draws first to first + n - 1.
  void draw(Index first, Index n, std::int32_t* draws);

 private:
  static constexpr Index kTile = 128;

  RandomKey key_;
  std::int32_t threshold_;
  Scalar scale_;
  Index in_last_ = -1;  // the number of the tile in last_
  std::array<std::int32_t, kTile> last_;
};

/// @}

}  // namespace gradus::detail
