#include "tutorials/18_the_encoder_and_bert/figures.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <numeric>

#include "tutorials/common/plot.h"

double seconds_of_cpu() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

namespace {

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

void print_percent(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  std::printf("  %3.0f", 100 * mean_of(values));
  if (values.size() > 1) {
    std::printf(" (%3.0f to %3.0f)", 100 * *least, 100 * *most);
  } else {
    std::printf("%13s", "");
  }
}

}  // namespace

void print_head(const std::string& name) {
  std::printf("%-25s  %-16s  %-16s  shifting\n", name.c_str(), "plain", "contrast");
}

void print_shares(const std::string& name, const Shares& shares) {
  std::printf("%-25s", name.c_str());
  for (const std::vector<double>& values : shares) {
    if (!values.empty()) print_percent(values);
  }
  std::printf("\n");
}

void print_seeds(const std::string& name, const std::vector<double>& values) {
  std::printf("%-34s", name.c_str());
  for (const double value : values) std::printf(" %4.0f", 100 * value);
  std::printf("\n");
}

void print_table(const std::string& name, const Table& table, std::size_t first, std::size_t end) {
  print_head(name);
  for (std::size_t i = first; i < std::min(end, table.size()); ++i) {
    print_shares(table[i].first, table[i].second);
  }
}

void draw_cls(const std::vector<course::Grid>& weights, const std::vector<std::string>& reviews) {
  course::Grid all = weights[0];  // head by head, and in each review by review
  all.shape[0] = 2 * std::ssize(weights), all.values.clear();
  std::vector<std::string> rows;
  for (const std::ptrdiff_t head : {1, 2}) {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const auto row = weights[i].values.begin() + head * 8;
      all.values.insert(all.values.end(), row, row + 8);
      rows.push_back(std::to_string(head + 1) + ": " + reviews[i]);
    }
  }
  course::plot_heatmap("cls", "Weights of [CLS], heads 2 and 3 of block 1", all, rows,
                       {"[CLS]", "the", "soup", "was", "1st", "…", "2nd", "[SEP]"});
}

namespace {

std::string mean_and_range(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  char text[40];
  std::snprintf(text, sizeof text, "%.2f (%.2f to %.2f)", mean_of(values), *least, *most);
  return text;
}

}  // namespace

void print_losses(const std::vector<std::string>& names, const std::vector<int>& asked,
                  const Losses& left, const Losses& best_left, const Losses& both,
                  const Losses& best_both) {
  std::printf("%-18s  asked  %-19s  best  %-19s  best\n", "", "left only", "both sides");
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::printf("%-18s  %5d  %-19s  %.2f  %-19s  %.2f\n", names[i].c_str(), asked[i],
                mean_and_range(left[i]).c_str(), best_left[i][0], mean_and_range(both[i]).c_str(),
                best_both[i][0]);
  }
}

void print_best(const std::vector<double>& numbers, const std::vector<std::string>& names, int k) {
  std::vector<std::size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](std::size_t i) { return numbers[i]; });
  for (int i = 0; i < k; ++i) {
    const std::size_t best = order[static_cast<std::size_t>(i)];
    std::printf("  %s %.2f", names[best].c_str(), numbers[best]);
  }
  std::printf("\n");
}
