#include "figures.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "tutorials/common/plot.h"

using course::Grid;
using course::Palette;
using course::Series;

namespace {

/// Names for `count` rows of which every `step`th has one, its number.
std::vector<std::string> numbered(std::int64_t count, std::int64_t step) {
  std::vector<std::string> names(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; i += step) {
    names[static_cast<std::size_t>(i)] = std::to_string(i);
  }
  return names;
}

Series column(const std::string& name, const Grid& x, std::size_t channel) {
  Series curve{name, {}, {}};
  const auto width = static_cast<std::size_t>(x.size(1));
  for (std::size_t t = 0; t < static_cast<std::size_t>(x.size(0)); ++t) {
    curve.x.push_back(static_cast<double>(t));
    curve.y.push_back(x.values[t * width + channel]);
  }
  return curve;
}

}  // namespace

std::string spread(const std::vector<double>& runs, int digits) {
  const auto [least, most] = std::minmax_element(runs.begin(), runs.end());
  const double mean =
      std::accumulate(runs.begin(), runs.end(), 0.0) / static_cast<double>(runs.size());
  char words[64];
  std::snprintf(words, sizeof words, "%.*f  (%.*f to %.*f)", digits, mean, digits, *least, digits,
                *most);
  return words;
}

void draw_waves(const Grid& table, const Grid& halves) {
  course::plot_heatmap("waves", "Sinusoids: 50 positions (rows), 128 channels (columns)", table,
                       numbered(50, 10), numbered(128, 16));
  course::plot_heatmap("waves_halves", "The same with all sines first, coloured by sign", halves,
                       numbered(50, 10), numbered(128, 16), Palette::kSign);
}

void draw_products(const Grid& products) {
  Series curve{"", {}, {}};
  for (std::size_t d = 0; d < 50; ++d) {
    curve.x.push_back(static_cast<double>(d)), curve.y.push_back(products.values[d]);
  }
  course::plot_lines("products",
                     {.title = "Dot product of two positions' vectors, 64 channels",
                      .x = "distance",
                      .y = "dot product"},
                     {curve});
}

void draw_alike(const Grid& learned, const Grid& sinusoids) {
  course::plot_heatmap("alike_learned", "Learned vectors: cosine of positions (row, column)",
                       learned, numbered(32, 8), numbered(32, 8), Palette::kSign);
  course::plot_heatmap("alike_sinusoids", "Sinusoids: cosine of positions (row, column)", sinusoids,
                       numbered(32, 8), numbered(32, 8), Palette::kSign);
}

void draw_misprint(const Grid& right, const Grid& wrong) {
  course::plot_lines(
      "misprint", {.title = "Channel 16 of 64", .x = "position t", .y = "value"},
      {column("t / 10000^{2k / 64}", right, 16), column("t / 10000 * 2k / 64", wrong, 16)});
}
