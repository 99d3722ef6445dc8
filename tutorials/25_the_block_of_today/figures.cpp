#include "figures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "tutorials/common/plot.h"

namespace {

const char* const kWays[] = {"as trained", "linear", "larger base"};

std::string with_range(const Seeds& seeds) {
  const auto [least, most] = std::minmax_element(seeds.begin(), seeds.end());
  char said[40];
  std::snprintf(said, sizeof said, "%.2f (%.2f to %.2f)", mean_of(seeds, 0, seeds.size()), *least,
                *most);
  return said;
}

}  // namespace

double mean_of(const std::vector<double>& losses, std::size_t begin, std::size_t end) {
  const auto first = losses.begin();
  return std::accumulate(first + std::ptrdiff_t(begin), first + std::ptrdiff_t(end), 0.0) /
         double(end - begin);
}

void print_shapes(const std::string& one, const std::string& its_shape, const std::string& other,
                  const std::string& other_shape) {
  std::string line(80, ' ');
  line.replace(0, one.size(), one), line.replace(19, its_shape.size(), its_shape);
  line.replace(32, other.size(), other), line.replace(65, other_shape.size(), other_shape);
  line.erase(line.find_last_not_of(' ') + 1);
  std::printf("%s\n", line.c_str());
}

void print_norms(const char* name, const course::Grid& layer, const course::Grid& rms) {
  static bool first = true;
  if (first) std::printf("          layer norm                  RMS norm\n");
  first = false;
  std::printf("%-8s", name);
  for (const course::Grid* x : {&layer, &rms}) {
    for (const double value : x->values) {
      std::printf(" %5.2f", std::abs(value) < 0.005 ? 0 : value);
    }
    std::printf("%s", x == &layer ? "    " : "\n");
  }
}

void print_networks(std::int64_t channels, std::int64_t plain, std::int64_t hidden,
                    std::int64_t gated) {
  static bool first = true;
  if (first) std::printf("   C    GELU: width  weights    SwiGLU: width  weights\n");
  first = false;
  std::printf("%4d %14d %8d %16d %8d\n", int(channels), int(4 * channels), int(plain), int(hidden),
              int(gated));
}

void print_cache(const char* name, int layers, int heads, int kv_heads, int width) {
  static bool first = true;
  if (first) {
    std::printf("                   layers  H   K    D   numbers a token   GB for 8192 tokens\n");
  }
  first = false;
  const std::int64_t numbers = std::int64_t(2) * layers * kv_heads * width;
  std::printf("%-18s %6d %3d %3d %4d %17d %20.2f\n", name, layers, heads, kv_heads, width,
              int(numbers), double(numbers) * 2 * 8192 / 1e9);
}

void print_rung(const char* name, const Seeds& losses, std::int64_t parameters,
                std::int64_t cache) {
  static bool first = true;
  if (first) {
    std::printf("                 loss  five seeds     parameters   cache: numbers\n");
    std::printf("                                      of a block   for each token\n");
  }
  first = false;
  const auto [least, most] = std::minmax_element(losses.begin(), losses.end());
  std::printf("%-16s %.2f  %.2f to %.2f %14d %16d\n", name, mean_of(losses, 0, losses.size()),
              *least, *most, int(parameters), int(cache));
  std::fflush(stdout);
}

void print_step(const char* name, double ms) { std::printf("%-16s %5.1f ms\n", name, ms); }

void print_lengths(const std::vector<std::vector<double>>& all) {
  std::printf("positions     0 to 63   64 to 127   128 to 191   192 to 255\n");
  for (std::size_t way = 0; way < all.size(); ++way) {
    std::printf("%-12s", kWays[way]);
    const int widths[] = {9, 12, 13, 13};
    for (std::size_t quarter = 0; quarter < 4; ++quarter) {
      std::printf("%*.2f", widths[quarter], mean_of(all[way], 64 * quarter, 64 * quarter + 64));
    }
    std::printf("\n");
  }
}

void draw_lengths(const std::vector<std::vector<double>>& all) {
  std::vector<course::Series> curves;
  for (std::size_t way = 0; way < all.size(); ++way) {
    course::Series curve{kWays[way], {}, {}};
    for (std::size_t begin = 0; begin < all[way].size(); begin += 16) {
      curve.x.push_back(double(begin) + 7.5);
      curve.y.push_back(mean_of(all[way], begin, begin + 16));
    }
    curves.push_back(curve);
  }
  const course::Axes2D axes{.title = "A model trained on 64 tokens reads 256",
                            .x = "position",
                            .y = "loss, nats a token"};
  course::plot_lines("beyond_64_as_trained", axes, {curves[0]});
  course::plot_lines("beyond_64", axes, curves);
}

void print_pair(int pair, const std::vector<double>& turns, double inside, double beyond) {
  if (pair < 0) {
    std::printf("        turns in      turns in 256 positions      loss, if slowed down alone\n");
    std::printf("        64 positions  as trained  larger base       0 to 63   192 to 255\n");
    std::printf("none  %52.2f %12.2f\n", inside, beyond);
    return;
  }
  std::printf("pair %d %13.3f %11.3f %12.3f %13.2f %12.2f\n", pair, turns[0], turns[1], turns[2],
              inside, beyond);
}

void print_longer(const std::vector<Row>& rows) {
  std::printf("characters                    0 to 31               32 to 127\n");
  for (const bool after : {false, true}) {
    for (std::size_t way = 0; way < rows.size(); ++way) {
      const Row& row = rows[way];
      std::printf("%-12s %-14s  %s   %s\n", kWays[way], after ? "and 80 steps" : "",
                  with_range(after ? row.inside_after : row.inside).c_str(),
                  with_range(after ? row.beyond_after : row.beyond).c_str());
    }
  }
}
