#include "figures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"

void print_run(const char* part, const Seeds& sizes, const Seeds& own, const Seeds& first) {
  const course::Part shown(part);
  const auto range = [](const char* name, const Seeds& seeds) {
    const auto [least, most] = std::minmax_element(seeds.begin(), seeds.end());
    std::printf("%s  %.2g to %.2g\n", name, *least, *most);
  };
  range("size of the vectors after layer 12  ", sizes);
  range("share that differs within a sentence", own);
  range("size of the gradient before layer 1 ", first);
}

void print_shrinking(double gain, const Seeds& third, const Seeds& own, const Seeds& left,
                     const Seeds& last) {
  const auto range = [](const char* name, const Seeds& seeds) {
    const auto [least, most] = std::minmax_element(seeds.begin(), seeds.end());
    std::printf("  %s  %.2g to %.2g\n", name, *least, *most);
  };
  std::printf("gain %.3g\n", gain);
  range("size of the vectors after layer 3  ", third);
  // The remaining differences are near the rounding error, so only its power of ten is shown.
  std::printf("  %s  below %.0e\n", "share that differs after layer 3   ",
              std::pow(10, std::ceil(std::log10(*std::max_element(own.begin(), own.end())))));
  range("share that GELU leaves, layers 4-12", left);
  range("size of the vectors after layer 12 ", last);
}

void print_moments(const std::vector<std::pair<std::string, course::Grid>>& matrices) {
  std::printf("mean, var. ");
  const course::Grid& any = matrices.front().second;
  for (int i = 0; i < int(any.size(0)); ++i) std::printf("%12s%d", "row ", i + 1);
  std::printf("  |");
  for (int j = 0; j < int(any.size(1)); ++j) std::printf("%12s%d", "column ", j + 1);
  std::printf("\n");
  for (const auto& [name, x] : matrices) {
    std::printf("%-11s", name.c_str());
    const auto moments = [&x](std::size_t first, std::size_t step, std::size_t n) {
      double mean = 0, square = 0;
      for (std::size_t k = 0; k < n; ++k) mean += x.values[first + k * step] / double(n);
      for (std::size_t k = 0; k < n; ++k) {
        square += std::pow(x.values[first + k * step] - mean, 2) / double(n);
      }
      std::printf("%6.1f %6.1f", std::abs(mean) < 0.05 ? 0 : mean, square);
    };
    const auto rows = std::size_t(x.size(0)), columns = std::size_t(x.size(1));
    for (std::size_t i = 0; i < rows; ++i) moments(i * columns, 1, columns);
    std::printf("  |");
    for (std::size_t j = 0; j < columns; ++j) moments(j, columns, rows);
    std::printf("\n");
  }
  std::printf("           first row                 the same beside another second row\n");
}

void print_first_rows(const char* name, const course::Grid& a, const course::Grid& b) {
  std::printf("%-10s", name);
  for (const course::Grid* x : {&a, &b}) {
    for (std::size_t j = 0; j < std::size_t(x->size(1)); ++j) std::printf(" %5.2f", x->values[j]);
    std::printf("%s", x == &a ? "   " : "\n");
  }
}

void print_race_header() {
  std::printf(
      "           layers  warm-up  rate 0.0003       rate 0.001        rate 0.003        rate "
      "0.01\n");
}

void print_race(const char* name, int depth, int warmup, const std::vector<Seeds>& losses) {
  std::printf("%-11s %6d %8d", name, depth, warmup);
  for (const Seeds& seeds : losses) {
    const auto [least, most] = std::minmax_element(seeds.begin(), seeds.end());
    const auto lost = std::count_if(seeds.begin(), seeds.end(), [](double x) { return !(x < 10); });
    const double total = std::accumulate(seeds.begin(), seeds.end(), 0.0);
    char said[40];
    if (lost > 0) {
      std::snprintf(said, sizeof said, "lost in %d of %d", int(lost), int(seeds.size()));
    } else {
      std::snprintf(said, sizeof said, "%.2f (%.2f-%.2f)", total / double(seeds.size()), *least,
                    *most);
    }
    std::printf(&seeds == &losses.back() ? "  %s\n" : "  %-16s", said);
  }
}

void print_inside_header() {
  std::printf("                 gradient of layer                                         share\n");
  std::printf(
      "           step  1                  6                  12                 that differs\n");
}

void print_inside(const char* name, int steps, const std::vector<Seeds>& found) {
  std::printf("%-11s %3d", name, steps);
  for (const Seeds& seeds : found) {
    const auto [least, most] = std::minmax_element(seeds.begin(), seeds.end());
    char said[40];
    std::snprintf(said, sizeof said, "%.2g to %.2g", *least, *most);
    std::printf(&seeds == &found.back() ? "  %s\n" : "  %-17s", said);
  }
}

void draw_gradients(const std::vector<std::vector<double>>& stages) {
  const char* names[] = {"small values", "scaled values", "and residual", "and layer norm"};
  std::vector<course::Series> curves;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    curves.push_back({names[i], {}, {}});
    for (std::size_t layer = 0; layer < stages[i].size(); ++layer) {
      curves.back().x.push_back(double(layer + 1));
      curves.back().y.push_back(std::pow(10, stages[i][layer]));
    }
  }
  course::plot_lines(
      "gradients",
      {.title = "The gradient on its way back", .x = "layer", .y = "size", .log_y = true}, curves);
}

void draw_training(const std::vector<std::vector<double>>& losses) {
  const char* names[] = {"plain", "post-norm", "pre-norm"};
  const char* colours[] = {"#D55E00", "#56B4E9", "#CC79A7"};  // as the gradients are drawn
  std::vector<course::Series> curves;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    curves.push_back({names[i], {}, {}, std::string("lines lw 2 lc rgb '") + colours[i] + "'"});
    for (std::size_t step = 10; step <= losses[i].size(); step += 10) {  // means of ten losses
      const auto end = losses[i].begin() + std::ptrdiff_t(step);
      curves.back().x.push_back(double(step));
      curves.back().y.push_back(std::accumulate(end - 10, end, 0.0) / 10);
    }
  }
  course::plot_lines("training",
                     {.title = "Twelve layers, one seed", .x = "step", .y = "nats a character"},
                     curves);
}

void draw_activations() {
  course::Series relu{"ReLU", {}, {}}, gelu{"GELU", {}, {}};
  for (double x = -4; x <= 3; x += 0.25) {
    relu.x.push_back(x), relu.y.push_back(std::max(x, 0.0));
    gelu.x.push_back(x), gelu.y.push_back(x / 2 * (1 + std::erf(x / std::sqrt(2.0))));
  }
  course::plot_lines("activations", {.title = "Two activations", .x = "x", .y = "y"}, {relu, gelu});
}
