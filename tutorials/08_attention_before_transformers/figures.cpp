#include "figures.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <limits>
#include <numeric>

#include "tutorials/common/part.h"

namespace {

const std::vector<std::string> kNames = {"cosine", "additive", "location", "general",
                                         "dot",    "scaled",   "none"};

double mean_of(const std::vector<double>& all) {
  return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
}

/// The mean over seeds of each number.
std::vector<double> means_of(const std::vector<std::vector<double>>& seeds) {
  std::vector<double> means(seeds.at(0).size());
  for (const auto& seed : seeds) {
    for (std::size_t i = 0; i < means.size(); ++i) {
      means[i] += seed[i] / static_cast<double>(seeds.size());
    }
  }
  return means;
}

}  // namespace

void run(const char* part, const std::function<void()>& print) {
  const course::Part here(part);
  print();
}

void print_opening(const std::vector<double>& one_vector, const std::vector<double>& attention) {
  std::printf("symbols   one vector%s\n", attention.empty() ? "" : "   attention");
  for (std::size_t i = 0; i < one_vector.size(); ++i) {
    std::printf("%7d %12.2f", 2 << i, one_vector[i]);
    if (!attention.empty()) std::printf(" %11.2f", attention[i]);
    std::printf("\n");
  }
}

void print_longer(const char* model, const std::vector<std::vector<double>>& shares) {
  if (std::string(model).starts_with("plain")) {
    std::printf("16 symbols                200 steps           800 steps          3200 steps\n");
  }
  std::printf("%-18s", model);
  for (const auto& seeds : shares) {
    const auto [least, most] = std::minmax_element(seeds.begin(), seeds.end());
    std::printf("  %.2f, %.2f to %.2f", mean_of(seeds), *least, *most);
  }
  std::printf("\n");
}

void print_fading(const std::vector<std::vector<double>>& rnn,
                  const std::vector<std::vector<double>>& gru,
                  const std::vector<std::vector<double>>& attention) {
  const auto plain = means_of(rnn), gated = means_of(gru), attending = means_of(attention);
  std::printf("steps back      RNN       GRU   GRU with attention\n");
  for (const std::size_t i : {0, 5, 10, 20, 40}) {
    std::printf("%6zu    %9.1e %9.1e %9.1e\n", i, plain[i], gated[i], attending[i]);
  }
  std::vector<double> back(plain.size());
  std::iota(back.begin(), back.end(), 0);
  course::plot_lines(
      "fading",
      {.title = "Gradient of the output by earlier inputs",
       .x = "steps back",
       .y = "norm of the gradient",
       .log_y = true},
      {{"RNN", back, plain}, {"GRU", back, gated}, {"GRU with attention", back, attending}});
}

void print_gates(int steps, const std::vector<std::vector<double>>& lengths) {
  const auto means = means_of(lengths);
  if (steps == 0) std::printf("steps back          0        5       10       15\n");
  std::printf(steps == 0 ? "untrained   " : "%3d steps   ", steps);
  for (const std::size_t i : {0, 5, 10, 15}) std::printf("%9.1e", means[i]);
  std::printf("\n");
}

void print_row(const char* name, const course::Grid& x) {
  std::printf("%-6s", name);
  for (const double v : x.values) std::printf(" %7.3f", v);
  std::printf("\n");
}

double least_time(const std::function<void()>& forward) {
  std::clock_t least = std::numeric_limits<std::clock_t>::max();
  for (int i = 0; i < 5; ++i) {
    const std::clock_t start = std::clock();
    forward();
    least = std::min(least, std::clock() - start);
  }
  return 1e6 * static_cast<double>(least) / CLOCKS_PER_SEC;
}

void print_time(std::int64_t length, double gru, double attention) {
  if (length == 16) std::printf("    T   GRU, us a token   attention\n");
  const auto tokens = static_cast<double>(length);
  std::printf("%5d %17.1f %11.1f\n", static_cast<int>(length), gru / tokens, attention / tokens);
}

void print_race_title(bool many_seeds) {
  std::printf("score       at 8   at 6%s\n", many_seeds ? "  least to most at 8  ms a step" : "");
}

void print_race(int score, const std::vector<double>& at_8, const std::vector<double>& at_6,
                double milliseconds) {
  std::printf("%-9s  %5.2f  %5.2f", kNames[static_cast<std::size_t>(score)].c_str(), mean_of(at_8),
              mean_of(at_6));
  if (at_8.size() > 1) {
    const auto [least, most] = std::minmax_element(at_8.begin(), at_8.end());
    std::printf("      %.2f to %.2f     %10.1f", *least, *most, milliseconds);
  }
  std::printf("\n");
}

void draw_weights(const std::vector<course::Grid>& weights) {
  const int cell = 16, left = 34, top = 44, columns = 3;
  const int size = static_cast<int>(weights.at(0).size(0)) * cell;
  const int width = left + columns * (size + 28), height = top + 2 * (size + 52);
  const auto rect = [&](int x, int y, double weight) {
    char text[200];
    std::snprintf(text, sizeof text,
                  "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#E69F00\" "
                  "fill-opacity=\"%.2f\" stroke=\"currentColor\" stroke-width=\"0.3\"/>\n",
                  x, y, cell, cell, weight);
    return std::string(text);
  };
  const auto words = [&](int x, int y, const std::string& said, const std::string& more = "") {
    return "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) +
           "\" font-size=\"13\" text-anchor=\"middle\" fill=\"currentColor\"" + more + ">" + said +
           "</text>\n";
  };
  std::string svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + std::to_string(width) +
      "\" height=\"" + std::to_string(height) + "\" viewBox=\"0 0 " + std::to_string(width) + " " +
      std::to_string(height) +
      "\" font-family=\"sans-serif\" aria-label=\"Six squares of attention weights, one for each "
      "score. In all of them the weight is near the diagonal from the upper right to the lower "
      "left: target 1 attends to the last source symbol.\">\n"
      "<style>svg{color:#1a1a1a}@media (prefers-color-scheme:dark){svg{color:#e6e6e6}}</style>\n";
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const int x = left + static_cast<int>(k) % columns * (size + 28);
    const int y = top + static_cast<int>(k) / columns * (size + 52);
    svg += words(x + size / 2, y - 10, kNames[k]);
    for (std::int64_t i = 0; i < weights[k].size(0); ++i) {
      for (std::int64_t j = 0; j < weights[k].size(1); ++j) {
        svg += rect(x + static_cast<int>(j) * cell, y + static_cast<int>(i) * cell,
                    weights[k].values[static_cast<std::size_t>(i * weights[k].size(1) + j)]);
      }
    }
    svg += words(x + size / 2, y + size + 15, "source");
  }
  svg += words(18, top + size / 2, "target",
               " transform=\"rotate(-90 18 " + std::to_string(top + size / 2) + ")\"");
  course::write_figure("alignments.svg", svg + "</svg>\n");
}
