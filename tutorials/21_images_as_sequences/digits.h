/// @file
/// Digits that the program draws, for chapter 21. Each is a few strokes in a unit square, drawn
/// with a pen of random width after a random stretch, slant, turn and shift, with noise on top.
#pragma once

#include <array>
#include <numbers>

#if __has_include("pocket/random.h")
#include "pocket/random.h"  // the reader's, where a program is compiled on it
#else
#include "tutorials/pocket/random.h"
#endif

namespace digits {

using namespace pocket;

inline constexpr Index kSide = 16;  // of an image, in pixels

struct Digits {
  Tensor images;       // [N, 16, 16], from 0 for paper to 1 for ink
  IndexTensor labels;  // [N]
};

struct Point {
  double x, y;  // from 0 (left, top) to 1 (right, bottom)
};
using Stroke = std::vector<Point>;  // joined by straight lines

/// Part of an ellipse, between two angles in degrees, anticlockwise from the right.
inline Stroke arc(Point centre, double rx, double ry, double from, double to) {
  Stroke stroke;
  for (int i = 0; i <= 10; ++i) {
    const double angle = (from + (to - from) * i / 10) * std::numbers::pi / 180;
    stroke.push_back({centre.x + rx * std::cos(angle), centre.y - ry * std::sin(angle)});
  }
  return stroke;
}

inline Stroke arc_then(Stroke stroke, const Stroke& rest) {
  stroke.insert(stroke.end(), rest.begin(), rest.end());
  return stroke;
}

inline const std::vector<Stroke>& strokes_of(Index digit) {
  static const std::array<std::vector<Stroke>, 10> kStrokes = {{
      {arc({.5, .5}, .34, .5, 90, 450)},
      {{{.3, .22}, {.55, 0}, {.55, 1}}},
      {arc_then(arc({.5, .28}, .33, .28, 165, -40), {{.13, 1}, {.9, 1}})},
      {arc({.45, .26}, .33, .26, 150, -90), arc({.45, .75}, .38, .25, 90, -150)},
      {{{.62, 0}, {.1, .66}, {.92, .66}}, {{.68, .35}, {.68, 1}}},
      {{{.85, 0}, {.25, 0}, {.2, .46}}, arc({.48, .68}, .37, .32, 135, -150)},
      {arc({.8, .66}, .63, .66, 100, 180), arc({.5, .7}, .33, .3, 90, 450)},
      {{{.12, 0}, {.88, 0}, {.4, 1}}},
      {arc({.5, .25}, .27, .25, 90, 450), arc({.5, .75}, .34, .25, 90, 450)},
      {arc({.5, .3}, .33, .3, 90, 450), arc({.2, .33}, .63, .67, 0, -80)},
  }};
  return kStrokes[static_cast<std::size_t>(digit)];
}

/// The distance of p from the straight line between a and b.
inline double distance(Point p, Point a, Point b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double along = (p.x - a.x) * dx + (p.y - a.y) * dy;
  const double t = std::clamp(along / std::max(dx * dx + dy * dy, 1e-12), 0.0, 1.0);
  return std::hypot(a.x + t * dx - p.x, a.y + t * dy - p.y);
}

/// Image `number`: writes its pixels, returns its digit. `in_middle`: as far from the left edge as
/// from the right one.
inline std::int32_t draw(Index number, Scalar* pixels, bool in_middle = false) {
  const RandomKey key{.seed = 21, .step = static_cast<std::uint32_t>(number)};
  const Tensor draws = uniform({8}, key);
  const auto in = [&](int which, double low, double high) {
    return low + (high - low) * double(draws.data()[which]);
  };
  const Index digit = uniform_index(key, 8, 10);
  const double height = in(0, 0.6, 0.8), width = height * in(1, 0.55, 0.95);
  const double slant = in(2, -0.25, 0.25), turn = in(3, -0.15, 0.15);
  const double pen = in(4, 0.6, 1), ink = in(5, 0.75, 1);  // half its width, in pixels
  std::vector<Stroke> strokes = strokes_of(digit);
  Point least{1e9, 1e9}, most{-1e9, -1e9};
  for (Stroke& stroke : strokes) {
    for (Point& p : stroke) {
      const double x = (p.x - 0.5) * width + slant * (0.5 - p.y) * height;
      const double y = (p.y - 0.5) * height;
      p = {std::cos(turn) * x - std::sin(turn) * y, std::sin(turn) * x + std::cos(turn) * y};
      least = {std::min(least.x, p.x), std::min(least.y, p.y)};
      most = {std::max(most.x, p.x), std::max(most.y, p.y)};
    }
  }
  // Anywhere in the image with a pixel to spare; near the middle if the digit is too large.
  const auto shift = [&](int which, double low, double high) {
    return in(which, std::min(0.06 - low, 0.5), std::max(0.94 - high, 0.5));
  };
  const double right = in_middle ? 0.5 - (least.x + most.x) / 2 : shift(6, least.x, most.x);
  const double down = shift(7, least.y, most.y);
  const Tensor noise = uniform({kSide * kSide}, {key.seed, key.step, 1}, -1, 1);
  for (Index i = 0; i < kSide * kSide; ++i) {
    const Point pixel{double(i % kSide) + 0.5, double(i / kSide) + 0.5};
    double nearest = 1e9;
    for (const Stroke& stroke : strokes) {
      for (std::size_t k = 1; k < stroke.size(); ++k) {
        const auto placed = [&](Point p) {
          return Point{(p.x + right) * kSide, (p.y + down) * kSide};
        };
        nearest = std::min(nearest, distance(pixel, placed(stroke[k - 1]), placed(stroke[k])));
      }
    }
    const double cover = std::clamp(pen + 0.5 - nearest, 0.0, 1.0);  // grey at the stroke's edge
    pixels[i] = Scalar(std::clamp(ink * cover + 0.15 * double(noise.data()[i]), 0.0, 1.0));
  }
  return static_cast<std::int32_t>(digit);
}

/// Images number first to first + count - 1.
inline Digits draw_digits(Index first, Index count, bool in_middle = false) {
  Tensor images({count, kSide, kSide});
  std::vector<std::int32_t> labels;
  for (Index i = 0; i < count; ++i) {
    labels.push_back(draw(first + i, images.mutable_data() + i * kSide * kSide, in_middle));
  }
  return {images, IndexTensor({count}, labels)};
}

/// Those images, in this order.
inline Digits some_of(const Digits& all, const std::vector<Index>& which) {
  const Index height = all.images.size(1), width = all.images.size(2), pixels = height * width;
  Tensor images({std::ssize(which), height, width});
  std::vector<std::int32_t> labels;
  for (Index i = 0; i < std::ssize(which); ++i) {
    std::copy_n(all.images.data() + which[i] * pixels, pixels, images.mutable_data() + i * pixels);
    labels.push_back(all.labels.data()[which[i]]);
  }
  return {images, IndexTensor({std::ssize(which)}, labels)};
}

/// The first image of each digit.
inline std::vector<Index> first_of_each(const Digits& some) {
  std::vector<Index> which;
  for (int digit = 0; digit < 10; ++digit) {
    which.push_back(std::find(some.labels.begin(), some.labels.end(), digit) - some.labels.begin());
  }
  return which;
}

inline Digits random_digits(const Digits& all, Index count, const RandomKey& key) {
  std::vector<Index> which(count);
  for (Index i = 0; i < count; ++i) which[i] = uniform_index(key, i, all.labels.size());
  return some_of(all, which);
}

// [with_patches]
/// A random order of the numbers 0 to n - 1 (Fisher and Yates).
inline std::vector<Index> random_order(Index n, const RandomKey& key) {
  std::vector<Index> order(n);
  for (Index i = 0; i < n; ++i) order[i] = i;
  for (Index i = n - 1; i > 0; --i) std::swap(order[i], order[uniform_index(key, i, i + 1)]);
  return order;
}

/// Images whose patch i is patch order(image)[i] of the given ones: the pixels are copied.
inline Tensor with_patches(const Tensor& images, Index patch, const auto& order) {
  const Index side = images.size(-1), across = side / patch;
  Tensor result(images.shape());
  for (Index image = 0; image < images.size(0); ++image) {
    const std::vector<Index> from = order(image);
    const Scalar* old = images.data() + image * side * side;
    Scalar* to = result.mutable_data() + image * side * side;
    for (Index i = 0; i < side * side; ++i) {
      const Index y = i / side, x = i % side, source = from[y / patch * across + x / patch];
      to[i] =
          old[(source / across * patch + y % patch) * side + source % across * patch + x % patch];
    }
  }
  return result;
}
// [with_patches]

}  // namespace digits
