// Chapter 10: heads to look into.
#include "tutorials/10_multi_head_attention/figures.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <sstream>

#include "tutorials/common/explorer.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"

using course::Grid;

namespace {

const std::vector<std::string> kText = {"Hello", "I",   "love",  "you", "Hello", "I",
                                        "love",  "you", "Hello", "I",   "love",  "you"};

}  // namespace

void print_shape(const char* what, const Grid& x) {
  std::printf("%-34s [", what);
  for (std::size_t i = 0; i < x.shape.size(); ++i) {
    std::printf("%s%d", i > 0 ? ", " : "", static_cast<int>(x.shape[i]));
  }
  std::printf("]\n");
}

namespace {

void print_range(const std::vector<double>& x) {
  std::printf("     %.2f, %.2f to %.2f",
              std::accumulate(x.begin(), x.end(), 0.0) / double(x.size()),
              *std::min_element(x.begin(), x.end()), *std::max_element(x.begin(), x.end()));
}

}  // namespace

void print_title() {
  std::printf("heads  steps  parameters     who: mean, range       whom: mean, range\n");
}

void print_questions(int heads, int steps, std::int64_t parameters, const std::vector<double>& who,
                     const std::vector<double>& whom) {
  std::printf("%5d %6d %11d", heads, steps, static_cast<int>(parameters));
  print_range(who);
  print_range(whom);
  std::printf("\n");
}

void print_verb(const Grid& one, const Grid& two) {
  const course::Part part("verb_weights");
  std::printf("weights of \"loves\" on      a  loves      b\n");
  const auto row = [](const char* what, const double* w) {
    std::printf("%-21s %5.2f  %5.2f  %5.2f\n", what, w[0], w[1], w[2]);
  };
  row("one head", one.values.data());
  row("two heads: head 1", two.values.data());
  row("           head 2", two.values.data() + 3);
}

std::vector<double> summary(const HeadTable& heads, double one, double two) {
  double previous = 0, repeat = 0, first = 1, second = 1;
  for (std::size_t h = 0; h < 4; ++h) {
    previous = std::max(previous, heads[h][0]);
    repeat = std::max(repeat, heads[h + 4][1]);
    first = std::min(first, heads[h][2]);
    second = std::min(second, heads[h + 4][2]);
  }
  return {one, two, previous, repeat, first, second};
}

void print_heads(const HeadTable& heads) {
  const course::Part part("heads");
  std::printf("layer  head   previous   repeat   right without it\n");
  for (std::size_t i = 0; i < heads.size(); ++i) {
    std::printf("%5d %5d %10.1f %8.1f %18.2f\n", static_cast<int>(i / 4 + 1),
                static_cast<int>(i % 4 + 1), heads[i][0], heads[i][1], heads[i][2]);
  }
}

void print_seeds(const std::vector<std::vector<double>>& rows) {
  const course::Part part("seeds");
  std::printf(
      "      right answers           best head\nseed  one layer  two layers   previous  repeat\n");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& r = rows[i];
    std::printf("%4d %10.2f %11.2f %10.1f %7.1f\n", static_cast<int>(i + 1), r[0], r[1], r[2],
                r[3]);
  }
}

void print_kinds(const std::vector<std::vector<double>>& rows,
                 const std::vector<std::vector<double>>& kinds) {
  const course::Part part("kinds");
  std::printf(
      "      without one head, at worst   without all previous   without all repeating\n"
      "seed  layer 1: right    2: right   right, best repeat     right\n");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::printf("%4d %15.2f %11.2f %7.2f %13.2f %9.2f\n", static_cast<int>(i + 1), rows[i][4],
                rows[i][5], kinds[i][0], kinds[i][1], kinds[i][2]);
  }
}

namespace {

void draw_explorer(const std::vector<Grid>& layers) {
  course::Attentions shown{
      .queries = kText, .keys = kText, .layers = {}, .notes = {}, .caption = ""};
  for (Grid layer : layers) {
    layer.shape.erase(layer.shape.begin());
    shown.layers.push_back(layer);
  }
  shown.caption =
      "Layer: 1 or 2. Attention: Input - Input. A text that repeats itself, in a model with two "
      "layers.";
  course::write_figure("explorer.html", course::attention_explorer("explorer_10", shown));
}

}  // namespace

void draw_heads(const std::vector<Grid>& layers) {
  draw_explorer(layers);
  constexpr int kCell = 10, kSide = 12 * kCell, kAcross = 145, kDown = 180;
  std::ostringstream out;
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"590\" height=\""
      << kDown * layers.size() << "\" viewBox=\"0 0 590 " << kDown * layers.size()
      << "\" font-family=\"sans-serif\">\n"
      << "<style>svg{color:#1a1a1a}@media (prefers-color-scheme:dark){svg{color:#e6e6e6}}"
      << "@media print{svg{color:#000}}</style>\n";
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const int top = static_cast<int>(l) * kDown;
    out << "<text x=\"6\" y=\"" << top + 16
        << "\" font-size=\"14\" fill=\"currentColor\">Layer: " << l + 1
        << "  Attention: Input - Input</text>\n";
    for (int h = 0; h < 4; ++h) {
      const int left = 6 + h * kAcross;
      out << "<text x=\"" << left << "\" y=\"" << top + 36
          << "\" font-size=\"13\" fill=\"currentColor\">head " << h + 1 << "</text><rect x=\""
          << left << "\" y=\"" << top + 42 << "\" width=\"" << kSide << "\" height=\"" << kSide
          << "\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"0.8\"/>\n";
      for (int t = 0; t < 12; ++t) {
        for (int s = 0; s <= t; ++s) {
          char opacity[16];
          std::snprintf(opacity, sizeof opacity, "%.2f",
                        layers[l].values[static_cast<std::size_t>((h * 12 + t) * 12 + s)]);
          out << "<rect x=\"" << left + s * kCell << "\" y=\"" << top + 42 + t * kCell
              << "\" width=\"10\" height=\"10\" fill=\"#E69F00\" fill-opacity=\"" << opacity
              << "\"/>";
        }
      }
      out << "\n";
    }
  }
  out << "</svg>\n";
  course::write_figure("heads.svg", out.str());
}
