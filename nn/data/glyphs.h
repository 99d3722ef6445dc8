/// @file
/// Drawn digits: images for a vision transformer that need no download.
///
/// Each digit is a few strokes (lines and arcs of ellipses) in a unit square, drawn with a pen of
/// some width after a random bend, slant, turn, stretch and shift, with noise on top. Left out on
/// purpose: other symbols, colour, handwriting as various as people's (readers.h reads MNIST).
#pragma once

#include <cstdint>
#include <string>

#include "autograd/index_tensor.h"
#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup data
/// @{

/// How digits are drawn. Lengths are shares of the image's height or width.
struct GlyphOptions {
  Index height = 28;        ///< H, in pixels
  Index width = 28;         ///< W, in pixels
  double smallest = 0.5;    ///< the least height of a digit
  double largest = 0.8;     ///< the greatest
  double slant = 0.3;       ///< the most that a digit leans, in widths per height
  double turn = 0.15;       ///< the most that it is turned, in radians
  double thinnest = 0.045;  ///< the least width of the pen
  double thickest = 0.11;   ///< the greatest
  double noise = 0.1;       ///< the most that the noise of an image deviates, as a share of black
};

/// Images and what they show.
struct LabelledImages {
  Tensor images;       ///< [N, H, W], from 0 (paper) to 1 (ink)
  IndexTensor labels;  ///< [N]
};

/// Digits number `first` to first + count - 1 of a seed. Image i is a function of the options, the
/// seed and i alone, each digit equally likely: other numbers are other images, so that held-out
/// digits are those behind the ones trained on.
///
///     LabelledImages train = draw_digits(10000, seed);
///     LabelledImages held_out = draw_digits(1000, seed, 10000);
///
/// @throws std::invalid_argument unless sizes are positive, the ranges ordered and in (0, 1], and
///   first + count at most 2^32
LabelledImages draw_digits(Index count, std::uint64_t seed, Index first = 0,
                           const GlyphOptions& options = {});

/// One image as lines of text, in ten steps of grey from ' ' to '@': for looks at a terminal.
/// @throws std::invalid_argument unless images is [N, H, W] and has that image
std::string image_as_text(const Tensor& images, Index number);

/// @}

}  // namespace gradus
