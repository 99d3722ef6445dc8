/// @file
/// Drawn digits: images for a vision transformer, without a download.
///
/// Each digit is a few strokes (lines and arcs of ellipses) in a unit square, drawn with a pen of
/// random width after a random bend, slant, rotation, stretch and shift, with added noise. Left out
/// on purpose: other symbols, colour, and the variety of real handwriting (readers.h reads MNIST).
#pragma once

#include <cstdint>
#include <string>

#include "nn/data/items.h"

namespace gradus {

/// @addtogroup examples
/// @{

/// How to draw digits. Lengths are fractions of the image's height or width.
struct GlyphOptions {
  Index height = 28;        ///< H, in pixels
  Index width = 28;         ///< W, in pixels
  double smallest = 0.5;    ///< the smallest height of a digit
  double largest = 0.8;     ///< the largest
  double slant = 0.3;       ///< the largest slant, in widths per height
  double turn = 0.15;       ///< the largest rotation, in radians
  double thinnest = 0.045;  ///< the smallest width of the pen
  double thickest = 0.11;   ///< the largest
  double noise = 0.1;       ///< the largest deviation of an image's noise, as a share of black
};

/// Digits number `first` to first + count - 1 of a seed. Image i is a function of the options, the
/// seed and i alone, and each digit is equally probable: to hold out digits, take numbers after
/// those trained on.
/// @code
/// const LabelledImages train = draw_digits(20, 1), held_out = draw_digits(10, 1, 20);
/// held_out.images.shape();  // [10, 28, 28]
/// @endcode
/// @throws std::invalid_argument unless sizes are positive, the ranges ordered and in (0, 1], and
///   first + count at most \f$ 2^{32} \f$
LabelledImages draw_digits(Index count, std::uint64_t seed, Index first = 0,
                           const GlyphOptions& options = {});

/// One image as lines of text, in ten steps of grey from ' ' to '@', for the terminal.
/// @throws std::invalid_argument unless images is [N, H, W] and has that image
std::string image_as_text(const Tensor& images, Index number);

/// @}

}  // namespace gradus
