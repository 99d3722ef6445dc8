#include "figures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "tutorials/common/plot.h"

using course::Grid;

std::string spread(const std::vector<double>& runs, int digits) {
  const auto [least, most] = std::minmax_element(runs.begin(), runs.end());
  const double mean =
      std::accumulate(runs.begin(), runs.end(), 0.0) / static_cast<double>(runs.size());
  char words[64];
  std::snprintf(words, sizeof words, "%.*f  (%.*f to %.*f)", digits, mean, digits, *least, digits,
                *most);
  return words;
}

void print_matrix(const std::string& title, const Grid& x, const Names& rows,
                  const Names& columns) {
  std::printf("%s\n%-6s", title.c_str(), "");
  for (const std::string& name : columns) std::printf(" %6s", name.c_str());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::printf("\n%-6s", rows[i].c_str());
    for (std::size_t j = 0; j < columns.size(); ++j) {
      std::printf(" %6.2f", x.values[i * columns.size() + j]);
    }
  }
  std::printf("\n");
}

void print_row(const std::string& what, const Grid& x) {
  std::printf("%-34s", what.c_str());
  double total = 0;
  for (const double value : x.values) {
    std::isnan(value) ? std::printf("   nan") : std::printf(" %5.2f", value);
    total += value;
  }
  std::isnan(total) ? std::printf("   sum nan\n") : std::printf("   sum %.2f\n", total);
}

void draw_alignment(const Grid& weights, const Names& written, const Names& source) {
  course::plot_heatmap("alignment",
                       "Which source letter (column) each written one (row) attends to", weights,
                       written, source);
}
