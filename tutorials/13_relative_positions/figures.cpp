#include "figures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <utility>

#include "tutorials/common/plot.h"

namespace {

const char* const kNames[] = {"none",  "sinusoidal", "learned",      "T5 buckets",
                              "ALiBi", "rotary",     "T5, n=8 m=16", "rotary, 1e6"};

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

void print_race(const std::vector<Shares>& all, std::size_t trained) {
  std::printf("             positions 0 to 15      16 to 63\n");
  for (std::size_t kind = 0; kind < all.size(); ++kind) {
    std::printf("%-12s", kNames[kind]);
    const std::size_t length = all[kind][0].size();
    for (const auto& [begin, end] : {std::pair(std::size_t(0), trained), {trained, length}}) {
      std::vector<double> x;
      for (const auto& seed : all[kind]) x.push_back(mean_of(seed, begin, end));
      const auto [least, most] = std::minmax_element(x.begin(), x.end());
      const double mean = std::accumulate(x.begin(), x.end(), 0.0) / double(x.size());
      std::printf(" %.2f (%.2f to %.2f)%s", mean, *least, *most, end == length ? "\n" : "   ");
    }
  }
}

void print_reach(const char* name, const Shares& shares) {
  static bool first = true;
  if (std::exchange(first, false)) {
    std::printf("trained on   base   16-23  24-31  32-39  40-47  48-55  56-63\n");
  }
  std::printf("%13s", name);
  for (std::size_t begin = 16; begin < 64; begin += 8) {
    double total = 0;
    for (const auto& seed : shares) total += mean_of(seed, begin, begin + 8);
    std::printf("   %.2f", total / double(shares.size()));
  }
  std::printf("\n");
}

void print_waves(const std::vector<Wave>& waves) {
  std::printf("pair  steps a turn   size: mean, range     peak: steps back\n");
  std::vector<double> means;  // of the peaks, by pair
  for (std::size_t pair = 0; pair < 4; ++pair) {
    std::vector<double> sizes, peaks;
    for (std::size_t i = pair; i < waves.size(); i += 4) {
      sizes.push_back(waves[i].size), peaks.push_back(waves[i].peak);
    }
    const auto mean = [](const std::vector<double>& x) {
      return std::accumulate(x.begin(), x.end(), 0.0) / double(x.size());
    };
    const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
    std::printf("%4d %13.1f   %4.1f (%.1f to %.1f)", int(pair),
                2 * std::acos(-1) / waves[pair].turn, mean(sizes), *least, *most);
    means.push_back(mean(peaks));
    const auto [first, last] = std::minmax_element(peaks.begin(), peaks.end());
    // A pair that adds next to nothing has its peak anywhere.
    if (mean(sizes) > 1) std::printf("    %5.1f (%.1f to %.1f)", mean(peaks), *first, *last);
    std::printf("\n");
  }
  const double half_turn = std::acos(-1) / waves[1].turn;
  std::printf("pair 0, further peaks:");
  for (int turns = 1; turns <= 6; ++turns) {
    std::printf(" %.1f", means[0] + turns * 2 * std::acos(-1) / waves[0].turn);
  }
  std::printf("\npair 1, lowest point: %.1f\n", means[1] + half_turn);
  std::printf("half a turn of pair 1, plus 7: %.1f steps\n", half_turn + 7);
}

void print_falls(int trained, int base, const std::vector<Wave>& waves,
                 const std::vector<int>& falls) {
  static bool first = true;
  if (std::exchange(first, false)) {
    std::printf("trained on    base   half a turn + 7   as high as 1 back   falls at\n");
  }
  const double half_turn = std::acos(-1) / waves[1].turn;
  double peak = 0;
  for (std::size_t i = 1; i < waves.size(); i += 4) peak += waves[i].peak;
  peak /= double(waves.size()) / 4;  // the mean
  std::printf("%10d %7d %17.1f %19.1f  ", trained, base, half_turn + 7, 2 * (peak + half_turn) - 1);
  for (const int position : falls) std::printf(position < 64 ? " %d" : "  -", position);
  std::printf("\n");
}

void draw_waves(const std::vector<Wave>& waves) {
  course::Series all{"all pairs", {}, {}}, one{"pair 1 alone", {}, {}},
      before{"as high as one back", {}, {}};
  const double heads = double(waves.size()) / 4;
  const auto part = [](const Wave& w, double n) {
    return w.size * std::cos(w.turn * (n - w.peak));
  };
  double wanted = 0;
  for (const Wave& w : waves) wanted += part(w, 1) / heads;
  for (int quarter = 0; quarter <= 4 * 45; ++quarter) {
    const double n = quarter / 4.0;
    double sum = 0, of_one = 0;
    for (std::size_t i = 0; i < waves.size(); ++i) {
      sum += part(waves[i], n) / heads;
      if (i % 4 == 1) of_one += part(waves[i], n) / heads;
    }
    for (course::Series* series : {&all, &one, &before}) series->x.push_back(n);
    all.y.push_back(sum), one.y.push_back(of_one), before.y.push_back(wanted);
  }
  course::plot_lines("learned_scores",
                     {.title = "Scores learned on 16 positions, base 10000",
                      .x = "steps back",
                      .y = "score, mean of 20 heads"},
                     {all, one, before});
}

void draw_race(const std::string& task, const std::vector<Shares>& all) {
  std::vector<course::Series> curves;
  for (std::size_t kind = 0; kind < 6; ++kind) {
    course::Series curve{kNames[kind], {}, {}};
    for (std::size_t begin = 0; begin < all[kind][0].size(); begin += 4) {
      double total = 0;
      for (const auto& seed : all[kind]) total += mean_of(seed, begin, begin + 4);
      curve.x.push_back(double(begin) + 1.5);
      curve.y.push_back(total / double(all[kind].size()));
    }
    curves.push_back(curve);
  }
  // The page begins with the first task and the vectors of chapter 12 alone.
  if (task == "before") curves = {curves[1], curves[2]};
  course::plot_lines("race_" + task,
                     {.title = "The " + (task == "last" ? task + " letter" : "letter " + task) +
                               ": trained on positions 0 to 15",
                      .x = "position",
                      .y = "share of right answers, mean of five seeds"},
                     curves);
}

void print_tales(const std::vector<double>& at_32, const std::vector<double>& at_128) {
  static std::size_t row = 0;
  if (row == 0) std::printf("             32 characters          128 characters\n");
  std::printf("%-12s", kNames[row++]);
  for (const auto* column : {&at_32, &at_128}) {
    const std::vector<double>& x = *column;
    const auto [least, most] = std::minmax_element(x.begin(), x.end());
    const double mean = std::accumulate(x.begin(), x.end(), 0.0) / double(x.size());
    std::printf(" %.2f (%.2f to %.2f)%s", mean, *least, *most, column == &at_32 ? "   " : "\n");
  }
}

void print_cost(int kind, std::int64_t numbers, std::int64_t nodes) {
  if (kind == 0) std::printf("             numbers in the bias   nodes in the graph\n");
  std::printf("%-12s %19d %20d\n", kNames[kind], int(numbers), int(nodes));
}

double shortest_ms(const std::function<void()>& run) {
  double best = 1e9;
  for (int i = 0; i < 10; ++i) {
    const std::clock_t start = std::clock();
    run();
    best = std::min(best, 1e3 * double(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

void print_time(int kind, double at_64, double at_256) {
  if (kind == 0) std::printf("              64 positions   256 positions\n");
  std::printf("%-12s %10.2f ms %12.2f ms\n", kNames[kind], at_64, at_256);
}

void print_wishes(const char* name, const std::vector<bool>& wishes) {
  static bool first = true;
  if (std::exchange(first, false)) {
    std::printf("%-12s %14s %14s %14s %14s %14s\n", "", "unique", "same distance", "bounded",
                "longer rows", "deterministic");
  }
  std::printf("%-12s", name);
  for (const bool holds : wishes) std::printf(" %14s", holds ? "yes" : "-");
  std::printf("\n");
}
