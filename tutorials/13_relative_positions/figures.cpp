#include "figures.h"

#include <algorithm>
#include <cstdio>

#include "tutorials/common/plot.h"

namespace {

const char* const kNames[] = {"none", "sinusoidal", "learned", "T5 buckets", "ALiBi", "rotary"};

/// The mean over the positions [begin, end) where something was asked.
double mean_of(const std::vector<double>& shares, std::size_t begin, std::size_t end) {
  double total = 0, count = 0;
  for (std::size_t t = begin; t < end; ++t) {
    if (shares[t] >= 0) total += shares[t], count += 1;
  }
  return total / count;
}

}  // namespace

void print_numbers(const course::Grid& x) {
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    std::printf("%3.0f%s", x.values[i], (i + 1) % std::size_t(x.size(1)) == 0 ? "\n" : " ");
  }
}

void print_heads(const course::Grid& bias, const course::Grid& weights) {
  std::printf("head   bias of keys 0 to 5                         attention weights\n");
  const auto n = std::size_t(bias.size(1));
  for (std::size_t h = 0; h < std::size_t(bias.size(0)); ++h) {
    std::printf("%4d  ", int(h) + 1);
    for (std::size_t s = 0; s < n; ++s) std::printf(" %6.3f", bias.values[h * n + s] + 0.0);
    std::printf("   ");
    for (std::size_t s = 0; s < n; ++s) std::printf(" %.2f", weights.values[h * n + s]);
    std::printf("\n");
  }
}

void print_race(int kind, const Shares& shares, std::size_t trained) {
  std::vector<double> in, beyond;
  for (const auto& seed : shares) {
    in.push_back(mean_of(seed, 0, trained));
    beyond.push_back(mean_of(seed, trained, seed.size()));
  }
  if (kind == 0) {
    std::printf("             positions 0 to 15      16 to 63\n");
  }
  std::printf("%-12s", kNames[kind]);
  for (const auto* seeds : {&in, &beyond}) {
    const std::vector<double>& x = *seeds;
    const auto [least, most] = std::minmax_element(x.begin(), x.end());
    double total = 0;
    for (const double v : x) total += v;
    std::printf(" %.2f (%.2f to %.2f)%s", total / double(x.size()), *least, *most,
                seeds == &in ? "   " : "\n");
  }
}

void draw_race(const std::string& task, const std::vector<Shares>& all) {
  std::vector<course::Series> curves;
  for (std::size_t kind = 0; kind < all.size(); ++kind) {
    course::Series curve{kNames[kind], {}, {}};
    for (std::size_t begin = 0; begin < all[kind][0].size(); begin += 4) {
      double total = 0;
      for (const auto& seed : all[kind]) total += mean_of(seed, begin, begin + 4);
      curve.x.push_back(double(begin) + 1.5);
      curve.y.push_back(total / double(all[kind].size()));
    }
    curves.push_back(curve);
  }
  course::plot_lines("race_" + task,
                     {.title = "The " + (task == "last" ? task + " letter" : "letter " + task) +
                               ": trained on positions 0 to 15",
                      .x = "position",
                      .y = "share of right answers, mean of five seeds"},
                     curves);
}

void print_cost(int kind, std::int64_t numbers, std::int64_t nodes, double seconds) {
  static double plain = seconds;
  if (kind == 0) std::printf("             numbers in the bias   nodes in the graph   time\n");
  std::printf("%-12s %19d %20d %6.1f\n", kNames[kind], int(numbers), int(nodes), seconds / plain);
}
