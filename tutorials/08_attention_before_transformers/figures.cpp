#include "figures.h"

#include <cstdio>

namespace course {

void draw_fading(const std::vector<Series>& curves) {
  plot_lines("fading",
             {.title = "Gradient of the last output by earlier inputs",
              .x = "steps back",
              .y = "norm of the gradient",
              .log_y = true},
             curves);
}

void draw_weights(const std::vector<std::string>& names, const std::vector<Grid>& weights) {
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
    svg += words(x + size / 2, y - 10, names[k]);
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
  write_figure("alignments.svg", svg + "</svg>\n");
}

}  // namespace course
