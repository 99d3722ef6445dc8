#include "nn/examples/glyphs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>
#include <vector>

#include "autograd/check.h"
#include "autograd/kernels/parallel_for.h"
#include "nn/examples/draws.h"

namespace gradus {
using namespace detail;
namespace {

struct Point {
  double x, y;  // from 0 (left, top) to 1 (right, bottom)
};
using Stroke = std::vector<Point>;  // joined by straight lines
using Glyph = std::vector<Stroke>;

/// Part of an ellipse, between two angles in degrees, anticlockwise from the right.
Stroke arc(Point centre, double rx, double ry, double from, double to) {
  const int pieces = std::max(2, static_cast<int>(std::abs(to - from) / 22.5));
  Stroke stroke;
  for (int i = 0; i <= pieces; ++i) {
    const double angle = (from + (to - from) * i / pieces) * std::numbers::pi / 180;
    stroke.push_back({centre.x + rx * std::cos(angle), centre.y - ry * std::sin(angle)});
  }
  return stroke;
}

Stroke ellipse(Point centre, double rx, double ry) { return arc(centre, rx, ry, 90, 450); }

/// An arc, continued by straight lines.
Stroke arc_then(Stroke stroke, const Stroke& rest) {
  stroke.insert(stroke.end(), rest.begin(), rest.end());
  return stroke;
}

/// 0 to 9, then the other shapes of 1, 4 and 7.
const std::vector<Glyph>& glyphs() {
  static const std::vector<Glyph> kGlyphs = {
      {ellipse({.5, .5}, .34, .5)},
      {{{.3, .22}, {.55, 0}, {.55, 1}}},
      {arc_then(arc({.5, .28}, .33, .28, 165, -40), {{.13, 1}, {.9, 1}})},
      {arc({.45, .26}, .33, .26, 150, -90), arc({.45, .75}, .38, .25, 90, -150)},
      {{{.62, 0}, {.1, .66}, {.92, .66}}, {{.68, .35}, {.68, 1}}},
      {{{.85, 0}, {.25, 0}, {.2, .46}}, arc({.48, .68}, .37, .32, 135, -150)},
      {arc({.8, .66}, .63, .66, 100, 180), ellipse({.5, .7}, .33, .3)},
      {{{.12, 0}, {.88, 0}, {.4, 1}}},
      {ellipse({.5, .25}, .27, .25), ellipse({.5, .75}, .34, .25)},
      {ellipse({.5, .3}, .33, .3), arc({.2, .33}, .63, .67, 0, -80)},
      {{{.5, 0}, {.5, 1}}},
      {{{.2, 0}, {.12, .55}, {.9, .55}}, {{.72, 0}, {.72, 1}}},
      {{{.12, 0}, {.88, 0}, {.4, 1}}, {{.3, .5}, {.8, .5}}},
  };
  return kGlyphs;
}

const Glyph& written(Index digit, bool other_way) {
  static constexpr std::array<std::size_t, 10> kOtherWay = {0, 10, 2, 3, 11, 5, 6, 12, 8, 9};
  const auto usual = static_cast<std::size_t>(digit);
  return glyphs()[other_way ? kOtherWay[usual] : usual];
}

/// The random numbers of one image. Each has a name, so that it does not depend on the order of
/// use.
class Chance {
 public:
  explicit Chance(const RandomKey& key) : key_(key) {}
  enum Name {
    kDigit,
    kWay,
    kHeight,
    kStretch,
    kSlant,
    kTurn,
    kBend,
    kLeft,
    kTop,
    kPen,
    kInk,
    kNoise
  };

  Index digit() const { return uniform_index(key_, kDigit, 10); }
  /// Returns a uniform number in [low, high).
  double in(Name name, double low, double high) const {
    // Words 0 to 31 are reserved for digit(), which takes two.
    return low + (high - low) * static_cast<double>(uniform_at(key_, 32 + name));
  }
  /// Returns the noise of one pixel, with standard deviation 1.
  double noise(Index pixel) const {
    return static_cast<double>(normal_at(key_, 64 + static_cast<std::uint64_t>(pixel)));
  }

 private:
  RandomKey key_;
};

/// Applies a random bend, slant, rotation and stretch to a glyph and puts it at a random position
/// in the image. Returns it in pixels.
Glyph placed(Glyph glyph, const Chance& chance, const GlyphOptions& options) {
  const double height = chance.in(Chance::kHeight, options.smallest, options.largest);
  const double width = height * chance.in(Chance::kStretch, 0.55, 0.95);
  const double slant = chance.in(Chance::kSlant, -options.slant, options.slant);
  const double turn = chance.in(Chance::kTurn, -options.turn, options.turn);
  const double bend = chance.in(Chance::kBend, -0.08, 0.08);
  const double cosine = std::cos(turn), sine = std::sin(turn);
  Point least{1e9, 1e9}, most{-1e9, -1e9};
  for (Stroke& stroke : glyph) {
    for (Point& p : stroke) {
      const double x = (p.x - 0.5 + bend * std::sin(2 * std::numbers::pi * p.y)) * width +
                       slant * (0.5 - p.y) * height;
      const double y = (p.y - 0.5) * height;
      p = {cosine * x - sine * y, sine * x + cosine * y};
      least = {std::min(least.x, p.x), std::min(least.y, p.y)};
      most = {std::max(most.x, p.x), std::max(most.y, p.y)};
    }
  }
  // Any position with room for the pen, or the centre if the glyph is too large.
  const auto shift = [&](Chance::Name name, double low, double high) {
    const double first = options.thickest / 2 - low, last = 1 - options.thickest / 2 - high;
    return first < last ? chance.in(name, first, last) : (first + last) / 2;
  };
  const double right = shift(Chance::kLeft, least.x, most.x);
  const double down = shift(Chance::kTop, least.y, most.y);
  for (Stroke& stroke : glyph) {
    for (Point& p : stroke) {
      p = {(p.x + right) * static_cast<double>(options.width),
           (p.y + down) * static_cast<double>(options.height)};
    }
  }
  return glyph;
}

/// The square of the distance from p to the straight line between a and b.
double square_distance(Point p, Point a, Point b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double length = dx * dx + dy * dy;
  const double along = length > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length : 0;
  const double t = std::clamp(along, 0.0, 1.0);
  const double ex = a.x + t * dx - p.x, ey = a.y + t * dy - p.y;
  return ex * ex + ey * ey;
}

/// Lowers `nearest`, the squared distance of each pixel to the pen's path, for the pixels around
/// one line.
void draw_line(Point a, Point b, double reach, const GlyphOptions& options,
               std::vector<double>& nearest) {
  const auto pixels = [&](double low, double high, Index size) {
    const auto first = static_cast<Index>(std::floor(low - reach));
    const auto last = static_cast<Index>(std::ceil(high + reach));
    return std::pair(std::clamp(first, Index{0}, size), std::clamp(last, Index{0}, size));
  };
  const auto [left, right] = pixels(std::min(a.x, b.x), std::max(a.x, b.x), options.width);
  const auto [top, bottom] = pixels(std::min(a.y, b.y), std::max(a.y, b.y), options.height);
  for (Index row = top; row < bottom; ++row) {
    for (Index column = left; column < right; ++column) {
      const Point centre{static_cast<double>(column) + 0.5, static_cast<double>(row) + 0.5};
      double& best = nearest[static_cast<std::size_t>(row * options.width + column)];
      best = std::min(best, square_distance(centre, a, b));
    }
  }
}

/// Draws one image of H W pixels and returns its digit.
std::int32_t draw_digit(const Chance& chance, const GlyphOptions& options, Scalar* out) {
  const Index digit = chance.digit();
  const bool other_way = chance.in(Chance::kWay, 0, 1) < 0.3;
  const Glyph glyph = placed(written(digit, other_way), chance, options);
  const double pen = chance.in(Chance::kPen, options.thinnest, options.thickest) / 2 *
                     static_cast<double>(std::min(options.height, options.width));
  std::vector<double> nearest(static_cast<std::size_t>(options.height * options.width), 1e9);
  for (const Stroke& stroke : glyph) {
    for (std::size_t i = 1; i < stroke.size(); ++i) {
      draw_line(stroke[i - 1], stroke[i], pen + 1, options, nearest);
    }
  }
  const double ink = chance.in(Chance::kInk, 0.75, 1);
  const double noise = chance.in(Chance::kNoise, 0, options.noise);
  for (std::size_t i = 0; i < nearest.size(); ++i) {
    // A pixel is black inside the stroke, and grey where the edge crosses it.
    const double cover = std::clamp(pen + 0.5 - std::sqrt(nearest[i]), 0.0, 1.0);
    const double grey = ink * cover + noise * chance.noise(static_cast<Index>(i));
    out[i] = static_cast<Scalar>(std::clamp(grey, 0.0, 1.0));
  }
  return static_cast<std::int32_t>(digit);
}

void check_options(const GlyphOptions& options) {
  check(options.height >= 1 && options.width >= 1,
        "draw_digits: height and width must be positive, got ", options.height, " and ",
        options.width);
  check(0 < options.smallest && options.smallest <= options.largest && options.largest <= 1,
        "draw_digits: needs 0 < smallest <= largest <= 1, got ", options.smallest, " and ",
        options.largest);
  check(0 < options.thinnest && options.thinnest <= options.thickest && options.thickest <= 1,
        "draw_digits: needs 0 < thinnest <= thickest <= 1, got ", options.thinnest, " and ",
        options.thickest);
  const auto share = [](double x) { return x >= 0 && x <= 1; };
  check(share(options.slant) && share(options.turn) && share(options.noise),
        "draw_digits: slant, turn and noise must be in [0, 1], got ", options.slant, ", ",
        options.turn, " and ", options.noise);
}

}  // namespace

LabelledImages draw_digits(Index count, std::uint64_t seed, Index first,
                           const GlyphOptions& options) {
  constexpr Index kMost = Index{1} << 32;
  check(count >= 1 && first >= 0 && count <= kMost && first <= kMost - count,
        "draw_digits: needs at least one digit, with numbers in [0, 2^32), got ", count,
        " from number ", first, " on");
  check_options(options);
  glyphs();  // initialise before threads use it
  LabelledImages drawn{Tensor({count, options.height, options.width}), IndexTensor({count})};
  Scalar* images = drawn.images.mutable_data();
  std::int32_t* labels = drawn.labels.mutable_data();
  parallel_for(count, 16, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Chance chance(data_key(seed, DataSet::kDigits, static_cast<std::uint32_t>(first + i)));
      labels[i] = draw_digit(chance, options, images + i * options.height * options.width);
    }
  });
  return drawn;
}

std::string image_as_text(const Tensor& images, Index number) {
  check(images.rank() == 3, "image_as_text: needs images [N, H, W], got ", images.shape());
  check(number >= 0 && number < images.size(0), "image_as_text: there is no image ", number,
        " among ", images.size(0));
  static constexpr std::string_view kGreys = " .:-=+*#%@";
  const Index height = images.size(1), width = images.size(2);
  const Scalar* pixel = images.data() + number * height * width;
  std::string lines;
  for (Index i = 0; i < height * width; ++i) {
    const auto grey = static_cast<std::size_t>(std::clamp(pixel[i], Scalar{0}, Scalar{1}) * 9);
    lines += kGreys[grey];
    if ((i + 1) % width == 0) lines += '\n';
  }
  return lines;
}

}  // namespace gradus
