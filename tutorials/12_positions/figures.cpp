#include "figures.h"

#include <algorithm>
#include <cmath>
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

/// The distance between row i of x and row j of y.
double between(const Grid& x, std::size_t i, const Grid& y, std::size_t j) {
  const auto width = static_cast<std::size_t>(x.size(1));
  double squares = 0;
  for (std::size_t c = 0; c < width; ++c) {
    squares += std::pow(x.values[i * width + c] - y.values[j * width + c], 2);
  }
  return std::sqrt(squares);
}

/// The mean length of the rows of x.
double mean_length(const Grid& x) {
  Grid zeros = x;
  std::fill(zeros.values.begin(), zeros.values.end(), 0);
  double total = 0;
  for (std::size_t t = 0; t < static_cast<std::size_t>(x.size(0)); ++t) {
    total += between(x, t, zeros, t);
  }
  return total / static_cast<double>(x.size(0));
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

void print(const char* what, const std::vector<double>& runs) {
  std::printf("%-36s %s\n", what, spread(runs, 2).c_str());
}

void print_learned(const char* name, int steps, const std::vector<double>& right,
                   const std::vector<double>& next, const std::vector<double>& early,
                   const std::vector<double>& late, const std::vector<double>& across,
                   const std::vector<double>& lead) {
  std::printf("%s, %d steps\n", name, steps);
  print("  right answers", right), print("  cosine of neighbours", next);
  print("  cosine within positions 0 to 9", early);
  print("  cosine within positions 16 to 30", late);
  print("  cosine of one with the other", across);
  print("  key scores: 16 to 30 minus 0 to 9", lead);
}

void print_tries(const Grid& integer, const Grid& unit, const Grid& binary) {
  std::printf("position    integer   unit   binary\n");
  for (std::size_t t = 0; t < 16; ++t) {
    std::printf("%8d %10.0f %6.2f  ", static_cast<int>(t), integer.values[t * 4],
                unit.values[t * 4]);
    for (std::size_t i = 4; i-- > 0;) std::printf(" %.0f", binary.values[t * 4 + i]);
    std::printf("\n");
  }
}

void print_movement(const Grid& table, std::size_t k) {
  std::printf("%6d", static_cast<int>(k));
  for (const std::size_t channel : {2 * k, 2 * k + 1}) {
    const std::vector<double> moves = column("", table, channel).y;
    const auto [least, most] = std::minmax_element(moves.begin(), moves.end());
    std::printf(" %8.4f", *most - *least);
  }
  std::printf("\n");
}

void print_found(const Grid& word, const Grid& position, const Grid& words, const Grid& p) {
  double words_found = 0, found = 0;
  for (std::size_t i = 0; i < word.values.size(); ++i) {
    words_found += word.values[i] == static_cast<double>(i / 50);
    found += position.values[i] == static_cast<double>(i % 50);
  }
  const auto n = static_cast<double>(word.values.size());
  const auto rows = static_cast<std::size_t>(words.size(0));
  double apart = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < rows; ++j) apart += between(words, i, words, j);
  }
  double next = 0;
  for (std::size_t t = 0; t + 1 < 50; ++t) next += between(p, t, p, t + 1) / 49;
  std::printf("%8d %6.2f %9.2f %9.1f %9.1f %7.1f %11.1f\n", static_cast<int>(p.size(1)),
              words_found / n, found / n, mean_length(words), mean_length(p),
              apart / static_cast<double>(rows * (rows - 1)), next);
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
      {column("t / 10000^{/=14 2k / 64}", right, 16), column("t / 10000 * 2k / 64", wrong, 16)});
}
