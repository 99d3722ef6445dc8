#include "tutorials/26_small_changes/figures.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

void print_heads(const std::string& rows, const std::vector<std::string>& columns) {
  std::printf("%-25s", rows.c_str());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    std::printf("  %-*s", i + 1 < columns.size() ? 19 : 0, columns[i].c_str());
  }
  std::printf("\n");
}

void print_row(const std::string& name, const Columns& columns, const std::vector<int>& decimals) {
  std::printf("%-25s", name.c_str());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::vector<double>& seeds = columns[i];
    const double sum = std::accumulate(seeds.begin(), seeds.end(), 0.0);
    std::printf("  %5.*f", decimals[i], sum / double(seeds.size()));
    const auto [least, most] = std::minmax_element(seeds.begin(), seeds.end());
    if (seeds.size() > 1) {
      std::printf(" %5.*f to %5.*f", decimals[i], *least, decimals[i], *most);
    } else {
      std::printf("%*s", i + 1 < columns.size() ? 14 : 0, "");
    }
  }
  std::printf("\n");
}
