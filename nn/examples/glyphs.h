/// @file
/// Draws digits: images for a vision transformer without a download.
///
/// Each digit is a few strokes (lines and arcs of ellipses) in a unit square, with a random bend,
/// slant, rotation, stretch and shift, drawn with a pen of random width. Noise is added to the
/// image. Left out on purpose: other symbols, colour, and the variety of real handwriting
/// (readers.h reads MNIST).
#pragma once

#include <cstdint>
#include <string>

#include "nn/data/items.h"

namespace gradus {

/// @addtogroup examples
/// @{

/// The settings for drawing digits. Lengths are fractions of the image's height or width.
struct GlyphOptions {
  Index height = 28;        ///< H, in pixels
  Index width = 28;         ///< W, in pixels
  double smallest = 0.5;    ///< the smallest height of a digit
  double largest = 0.8;     ///< the largest
  double slant = 0.3;       ///< the largest slant, in width per height
  double turn = 0.15;       ///< the largest rotation, in radians
  double thinnest = 0.045;  ///< the smallest width of the pen
  double thickest = 0.11;   ///< the largest
  double noise = 0.1;       ///< the largest standard deviation of an image's noise; black is 1
};

/// Draws images number `first` to first + count - 1 of a seed: images [count, H, W], from 0 (paper)
/// to 1 (ink), and labels [count]. Image i depends only on the options, the seed and i, and all
/// digits are equally probable. For held-out images, take numbers after the numbers of the training
/// images.
/// @code
/// const LabelledImages train = draw_digits(20, 1), held_out = draw_digits(10, 1, 20);
/// held_out.images.shape();  // [10, 28, 28]
/// @endcode
/// @throws std::invalid_argument unless sizes are positive, the ranges ordered and in (0, 1], and
///   first + count at most \f$ 2^{32} \f$
LabelledImages draw_digits(Index count, std::uint64_t seed, Index first = 0,
                           const GlyphOptions& options = {});

/// Returns one image as lines of text for the terminal, with ten levels of grey from ' ' to '@'.
/// @throws std::invalid_argument unless images are [N, H, W] and `number` is in [0, N)
std::string image_as_text(const Tensor& images, Index number);

/// @}

}  // namespace gradus
