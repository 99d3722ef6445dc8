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

/// A number as 1.2e-3.
std::string power(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.1e", x);
  std::string short_one = text;
  const std::size_t sign = short_one.find('e') + 1;
  if (short_one.at(sign + 1) == '0') short_one.erase(sign + 1, 1);
  if (short_one.at(sign) == '+') short_one.erase(sign, 1);
  return short_one;
}

/// The seeds' values at i, in order.
std::vector<double> at(const std::vector<std::vector<double>>& seeds, std::size_t i) {
  std::vector<double> all;
  for (const auto& seed : seeds) all.push_back(seed.at(i));
  std::sort(all.begin(), all.end());
  return all;
}

/// The median over seeds of each number.
std::vector<double> medians_of(const std::vector<std::vector<double>>& seeds) {
  std::vector<double> medians;
  for (std::size_t i = 0; i < seeds.at(0).size(); ++i) {
    medians.push_back(at(seeds, i)[seeds.size() / 2]);
  }
  return medians;
}

}  // namespace

void run(const char* part, const std::function<void()>& print) {
  const course::Part here(part);
  print();
}

void print_opening(const Columns& columns) {
  std::printf("symbols");
  for (const auto& [name, shares] : columns) std::printf("   %11s", name.c_str());
  std::printf("\n");
  for (std::size_t i = 0; i < columns.at(0).second.size(); ++i) {
    std::printf("%7d", 2 << i);
    for (const auto& [name, shares] : columns) std::printf("   %11.2f", shares.at(i));
    std::printf("\n");
  }
}

void print_longer(const char* model, std::int64_t parameters, double rate,
                  const std::vector<std::vector<double>>& shares) {
  if (std::string(model).starts_with("plain")) {
    std::printf("16 symbols       parameters   rate");
    std::printf("          200 steps           800 steps          3200 steps\n");
  }
  std::printf("%-16s %10d  %5g", model, static_cast<int>(parameters), rate);
  for (const auto& seeds : shares) {
    const auto [least, most] = std::minmax_element(seeds.begin(), seeds.end());
    std::printf("  %.2f, %.2f to %.2f", mean_of(seeds), *least, *most);
  }
  std::printf("\n");
}

void print_norms(const Curves& networks, const std::vector<std::size_t>& back,
                 const std::vector<double>& gates) {
  std::printf("steps back          ");
  for (const std::size_t i : back) std::printf("%8d", static_cast<int>(i));
  std::printf("   least to most%s\n", gates.empty() ? "" : "     mean k or f");
  for (std::size_t n = 0; n < networks.size(); ++n) {
    const auto& [name, seeds] = networks[n];
    std::printf("%-20s", name.c_str());
    const std::vector<double> medians = medians_of(seeds), all = at(seeds, back.back());
    for (const std::size_t i : back) std::printf("%8s", power(medians[i]).c_str());
    const std::string range = power(all.front()) + " to " + power(all.back());
    const bool gated = !gates.empty() && gates[n] > 0;
    std::printf(gated ? "   %-16s %9.2f\n" : "   %s\n", range.c_str(), gated ? gates[n] : 0);
  }
}

void draw_fading(const Curves& networks) {
  std::vector<course::Series> medians;
  for (const auto& [name, seeds] : networks) {
    std::vector<double> back(seeds.at(0).size());
    std::iota(back.begin(), back.end(), 0);
    medians.push_back({name, back, medians_of(seeds)});
  }
  course::plot_lines("fading",
                     {.title = "Gradient of the output by earlier inputs",
                      .x = "steps back",
                      .y = "norm of the gradient",
                      .log_y = true},
                     medians);
}

void print_causes(const std::vector<std::vector<double>>& causes) {
  const std::vector<double> medians = medians_of(causes), w = at(causes, 1);
  std::printf("left by each step of the RNN: %.2f; by W alone: %.2f, %.2f to %.2f\n", medians.at(0),
              medians.at(1), w.front(), w.back());
  std::printf("slope of tanh in the RNN, root mean square: %.2f\n", medians.at(2));
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

void print_time(std::int64_t length, const std::vector<std::int64_t>& chains,
                const std::vector<std::int64_t>& multiplications,
                const std::vector<double>& times) {
  if (length == 16) {
    std::printf("       products in a chain   multiplications a token   microseconds a token\n");
    std::printf("    T     GRU    attention         GRU     attention      GRU     attention\n");
  }
  const auto tokens = static_cast<double>(length);
  std::printf("%5d %7d %12d %11d %13d %8.1f %13.1f\n", static_cast<int>(length),
              static_cast<int>(chains.at(0)), static_cast<int>(chains.at(1)),
              static_cast<int>(multiplications.at(0)), static_cast<int>(multiplications.at(1)),
              times.at(0) / tokens, times.at(1) / tokens);
}

void print_race_title() { std::printf("score      at 8, least to most   at 6, least to most\n"); }

void print_race(int score, const std::vector<double>& at_8, const std::vector<double>& at_6) {
  std::printf("%-9s", kNames[static_cast<std::size_t>(score)].c_str());
  for (const auto* shares : {&at_8, &at_6}) {
    std::printf("  %5.2f", mean_of(*shares));
    const auto [least, most] = std::minmax_element(shares->begin(), shares->end());
    std::printf("  %.2f to %.2f", *least, *most);
  }
  std::printf("\n");
}

void draw_weights(const std::vector<std::pair<std::string, course::Grid>>& weights) {
  const int cell = 22, left = 48, top = 52;
  const int size = static_cast<int>(weights.at(0).second.size(0)) * cell;
  const int width = left + static_cast<int>(weights.size()) * (size + 36), height = top + size + 26;
  const auto rect = [&](int x, int y, double weight, bool exact) {
    char text[200];
    std::snprintf(text, sizeof text,
                  "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#E69F00\" "
                  "fill-opacity=\"%.2f\" stroke=\"currentColor\" stroke-width=\"%g\"/>\n",
                  x, y, cell, cell, weight, exact ? 2 : 0.3);
    return std::string(text);
  };
  const auto words = [&](int x, int y, const std::string& said, int size = 13,
                         const std::string& more = "") {
    return "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" font-size=\"" +
           std::to_string(size) + "\" text-anchor=\"middle\" fill=\"currentColor\"" + more + ">" +
           said + "</text>\n";
  };
  std::string svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + std::to_string(width) +
      "\" height=\"" + std::to_string(height) + "\" viewBox=\"0 0 " + std::to_string(width) + " " +
      std::to_string(height) +
      "\" font-family=\"sans-serif\" aria-label=\"Squares of attention weights, one for each "
      "score. In each of them the weight is near the diagonal from the upper right to the lower "
      "left: target 1 attends to the last source symbol. The exact squares are outlined.\">\n"
      "<style>svg{color:#1a1a1a}@media (prefers-color-scheme:dark){svg{color:#e6e6e6}}</style>\n";
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const auto& [name, grid] = weights[k];
    const int x = left + static_cast<int>(k) * (size + 36), y = top;
    const std::int64_t rows = grid.size(0), n = grid.size(1);
    const double most = *std::max_element(grid.values.begin(), grid.values.end());
    char title[60];
    std::snprintf(title, sizeof title, "%s, up to %.2f", name.c_str(), most);
    svg += words(x + size / 2, y - 22, title);
    for (const bool exact : {false, true}) {  // the outlined last
      for (std::int64_t i = 0; i < rows * n; ++i) {
        if ((i % n == n - 1 - i / n) != exact) continue;
        svg += rect(x + static_cast<int>(i % n) * cell, y + static_cast<int>(i / n) * cell,
                    grid.values[static_cast<std::size_t>(i)] / most, exact);
      }
    }
    for (int i = 0; i < rows; ++i) {
      const std::string number = std::to_string(i + 1);
      svg += words(x + i * cell + cell / 2, y - 6, number, 11);
      svg += words(x - 8, y + i * cell + cell / 2 + 4, number, 11);
    }
    svg += words(x + size / 2, y + size + 15, "source");
  }
  svg += words(16, top + size / 2, "target", 13,
               " transform=\"rotate(-90 16 " + std::to_string(top + size / 2) + ")\"");
  course::write_figure("alignments.svg", svg + "</svg>\n");
}
