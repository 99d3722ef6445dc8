/// @file
/// The losses of a run in the terminal, in braille: each character holds two by four dots.

#include "cli/run/loss_chart.h"

#include <algorithm>
#include <cmath>

#include "cli/program/display.h"
#include "nn/text/utf8.h"

namespace gradus {
namespace {

constexpr std::size_t kAcross = 2, kDown = 4;  // dots of a character
constexpr std::size_t kLabel = 8;              // characters left of the dots

/// A canvas of dots, with the origin at the bottom left.
class Canvas {
 public:
  Canvas(std::size_t columns, std::size_t rows)
      : columns_(columns), rows_(rows), cells_(columns * rows) {}

  std::size_t width() const { return columns_ * kAcross; }
  std::size_t height() const { return rows_ * kDown; }

  void set(std::size_t x, std::size_t y) {
    // The order of a character's bits, from its top left (The Unicode Standard, 2800 to 28FF).
    constexpr char32_t kBits[kDown][kAcross] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    const std::size_t down = height() - 1 - y;
    cells_[down / kDown * columns_ + x / kAcross] |= kBits[down % kDown][x % kAcross];
  }

  /// Draws an o in the character of this dot.
  void mark(std::size_t x, std::size_t y) {
    cells_[(height() - 1 - y) / kDown * columns_ + x / kAcross] = kMark;
  }

  std::string row(std::size_t r) const {
    constexpr char32_t kBlank = 0x2800;
    std::u32string out;
    for (std::size_t c = 0; c < columns_; ++c) {
      const char32_t cell = cells_[r * columns_ + c];
      out += cell == kMark ? U'o' : static_cast<char32_t>(kBlank + cell);
    }
    return utf8_encode(out);
  }

 private:
  static constexpr char32_t kMark = 0x100;  // differs from all combinations of eight dots

  std::size_t columns_, rows_;
  std::vector<char32_t> cells_;
};

using Points = std::vector<std::pair<double, double>>;

/// The line below the dots: the first and last step, and between them the key.
std::string steps_axis(double last_step, std::size_t width, bool has_val) {
  const std::string begin = "0", end = fixed(last_step, 0) + " steps";
  std::string legend = has_val ? "dots: batches, o: validation" : "dots: batches";
  if (begin.size() + legend.size() + end.size() + 4 > width) legend.clear();
  if (begin.size() + legend.size() + end.size() + 1 > width) return "";
  const std::size_t room = width - begin.size() - legend.size() - end.size();
  return begin + std::string(room / 2, ' ') + legend + std::string(room - room / 2, ' ') + end;
}

}  // namespace

std::vector<std::string> loss_chart(const LossHistory& history, std::size_t width,
                                    std::size_t height) {
  double last_step = 0, least = INFINITY, most = -INFINITY;
  for (const Points* points : {&history.batches, &history.val}) {
    for (const auto& [step, loss] : *points) {
      if (!std::isfinite(loss)) continue;
      last_step = std::max(last_step, step);
      least = std::min(least, loss);
      most = std::max(most, loss);
    }
  }
  if (last_step == 0 || width <= kLabel + 2 || height < 2) return {};
  Canvas canvas(width - kLabel - 1, height);
  const auto dot = [](double share, std::size_t dots) {
    return static_cast<std::size_t>(std::lround(share * static_cast<double>(dots - 1)));
  };
  const auto x_of = [&](double step) { return dot(step / last_step, canvas.width()); };
  const auto y_of = [&](double loss) {
    return dot(most > least ? (loss - least) / (most - least) : 0, canvas.height());
  };
  for (const auto& [step, loss] : history.batches) {
    if (std::isfinite(loss)) canvas.set(x_of(step), y_of(loss));
  }
  // Validation losses are rare, so a line joins them.
  for (std::size_t i = 1; i < history.val.size(); ++i) {
    const auto& [from, before] = history.val[i - 1];
    const auto& [to, after] = history.val[i];
    if (!std::isfinite(before) || !std::isfinite(after)) continue;
    for (std::size_t x = x_of(from); x <= x_of(to); ++x) {
      const double steps = std::max(to - from, 1.0);
      const double at =
          static_cast<double>(x) / static_cast<double>(canvas.width() - 1) * last_step;
      const double share = std::clamp((at - from) / steps, 0.0, 1.0);
      canvas.set(x, y_of(before + share * (after - before)));
    }
  }
  for (const auto& [step, loss] : history.val) {
    if (std::isfinite(loss)) canvas.mark(x_of(step), y_of(loss));
  }
  std::vector<std::string> lines;
  for (std::size_t r = 0; r < height; ++r) {
    std::string label = r == 0 ? fixed(most, 2) : r + 1 == height ? fixed(least, 2) : "";
    label.insert(0, kLabel - 1 - std::min(kLabel - 1, label.size()), ' ');
    lines.push_back(label + (r == 0 || r + 1 == height ? " ┤" : " │") + canvas.row(r));
  }
  lines.push_back(std::string(kLabel + 1, ' ') +
                  steps_axis(last_step, width - kLabel - 1, !history.val.empty()));
  return lines;
}

}  // namespace gradus
