// Chapter 10: heads to look into.
#include "tutorials/10_multi_head_attention/figures.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <sstream>

#include "cli/attention/explorer.h"
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

void print_verb(const std::vector<std::pair<const char*, const double*>>& rows) {
  const course::Part here("verb_weights");
  std::printf("weights of \"loves\"    Anna loves Bob      Bob loves Anna    mean |a - b|\n");
  for (const auto& [name, w] : rows) {
    std::printf("%-20s %4.2f  %4.2f  %4.2f    %4.2f  %4.2f  %4.2f    %12.2f\n", name, w[0], w[1],
                w[2], w[3], w[4], w[5], w[6]);
  }
}

}  // namespace

void print_questions(const char* part, const std::vector<Answers>& rows) {
  {
    const course::Part here(part);
    std::printf("heads  steps  parameters     who: mean, range       whom: mean, range\n");
    for (const Answers& row : rows) {
      std::printf("%5d %6d %11d", row.heads, row.steps, static_cast<int>(row.parameters));
      print_range(row.who);
      print_range(row.whom);
      std::printf("\n");
    }
  }
  if (rows.size() != 2) return;  // with --long
  const std::vector<double>&one = rows.front().verb, &two = rows.back().verb;
  print_verb({{"one head", one.data()},
              {"two heads: head 1", two.data()},
              {"           head 2", two.data() + 7}});
}

std::vector<double> summary(const HeadTable& heads, double one, double two) {
  double previous = 0, successor = 0, first = 1, second = 1;
  for (std::size_t h = 0; h < 4; ++h) {
    previous = std::max(previous, heads[h][0]);
    successor = std::max(successor, heads[h + 4][1]);
    first = std::min(first, heads[h][2]);
    second = std::min(second, heads[h + 4][2]);
  }
  return {one, two, previous, successor, first, second};
}

void print_heads(const HeadTable& heads) {
  const course::Part part("heads");
  std::printf("layer  head   previous   successor   right without it\n");
  for (std::size_t i = 0; i < heads.size(); ++i) {
    std::printf("%5d %5d %10.1f %11.1f %18.2f\n", static_cast<int>(i / 4 + 1),
                static_cast<int>(i % 4 + 1), heads[i][0], heads[i][1], heads[i][2]);
  }
}

void print_seeds(const std::vector<std::vector<double>>& rows) {
  const course::Part part("seeds");
  std::printf(
      "      right answers           best head\nseed  one layer  two layers   previous  "
      "successor\n");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& r = rows[i];
    std::printf("%4d %10.2f %11.2f %10.1f %10.1f\n", static_cast<int>(i + 1), r[0], r[1], r[2],
                r[3]);
  }
}

void print_rules(const std::vector<std::vector<double>>& continued) {
  const course::Part part("rules");
  std::printf(
      "      one layer                         two layers\n"
      "seed  e, successor  b, overdue  other   e, successor  b, overdue  other\n");
  for (std::size_t i = 0; i < continued.size(); i += 2) {
    std::printf("%4d", static_cast<int>(i / 2 + 1));
    for (const auto& r : {continued[i], continued[i + 1]}) {
      std::printf(" %13.2f %11.2f %6.2f", r[0], r[1], r[2]);
    }
    std::printf("\n");
  }
}

void print_one_layer(int steps, const std::vector<std::vector<double>>& rows) {
  const course::Part part("long_layer");
  std::printf("one layer, %d steps\nseed  right answers  e, successor  b, overdue  other\n", steps);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::printf("%4d %14.2f %13.2f %11.2f %6.2f\n", static_cast<int>(i + 1), rows[i][3], rows[i][0],
                rows[i][1], rows[i][2]);
  }
}

void print_kinds(const std::vector<std::vector<double>>& rows,
                 const std::vector<std::vector<double>>& kinds) {
  const course::Part part("kinds");
  std::printf(
      "      right without one head    right without all heads    best successor\n"
      "seed  of layer 1  of layer 2    previous  successor        without previous\n");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::printf("%4d %11.2f %11.2f %11.2f %10.2f %23.2f\n", static_cast<int>(i + 1), rows[i][4],
                rows[i][5], kinds[i][0], kinds[i][2], kinds[i][1]);
  }
}

namespace {

void draw_explorer(const std::vector<Grid>& layers) {
  gradus::Attentions shown{
      .queries = kText, .keys = kText, .layers = {}, .notes = {}, .caption = ""};
  for (const Grid& layer : layers) {
    shown.layers.push_back({static_cast<std::size_t>(layer.size(1)), layer.values});
  }
  shown.caption =
      "Layer: 1 or 2. Attention: Input - Input. A text that repeats itself, in a model with two "
      "layers.";
  course::write_figure("explorer.html", gradus::attention_explorer("explorer_10", shown));
}

/// Whether the page says that a layer attends to this cell: in the first layer, the previous word
/// in the first round; in the second, the word after the same word in an earlier round.
bool is_expected(std::size_t layer, int t, int s) {
  if (layer == 0) return t <= 4 && s == t - 1;
  return s > 0 && s < t && (t + 1 - s) % 4 == 0;
}

/// All heads, `columns` of them beside each other.
void draw_tables(const std::string& name, const std::vector<Grid>& layers, int columns) {
  constexpr int kHeads = 4, kCell = 10, kSide = 12 * kCell, kAcross = 136, kDown = 200, kLeft = 50;
  const int rows = kHeads / columns;  // of each layer
  const int width = kLeft + columns * kAcross - 4;
  const int height = kDown * rows * static_cast<int>(layers.size());
  std::ostringstream out;
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << height
      << "\" viewBox=\"0 0 " << width << ' ' << height << "\" font-family=\"sans-serif\">\n"
      << "<style>svg{color:#1a1a1a}@media (prefers-color-scheme:dark){svg{color:#e6e6e6}}"
      << "@media print{svg{color:#000}}</style>\n";
  const auto text = [&](int x, int y, int size, const std::string& words, const char* more = "") {
    out << "<text x=\"" << x << "\" y=\"" << y << "\" font-size=\"" << size
        << "\" fill=\"currentColor\"" << more << ">" << words << "</text>\n";
  };
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const int first = static_cast<int>(l) * rows * kDown + 42;
    text(6, first - 26, 14, "Layer: " + std::to_string(l + 1) + "  Attention: Input - Input");
    for (int h = 0; h < kHeads; ++h) {
      const int left = kLeft + h % columns * kAcross, top = first + h / columns * kDown;
      for (int t = 0; t < 12 && h % columns == 0; ++t) {
        text(kLeft - 4, top + t * kCell + 9, 10, kText[static_cast<std::size_t>(t)],
             " text-anchor=\"end\"");
      }
      text(left, top - 6, 13, "head " + std::to_string(h + 1));
      out << "<rect x=\"" << left << "\" y=\"" << top << "\" width=\"" << kSide << "\" height=\""
          << kSide << "\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"0.8\"/>\n";
      std::ostringstream outlines;  // above all cells
      for (int t = 0; t < 12; ++t) {
        const int x = left + t * kCell + 9, y = top + kSide + 4;
        const std::string turned = " text-anchor=\"end\" transform=\"rotate(-90 " +
                                   std::to_string(x) + " " + std::to_string(y) + ")\"";
        text(x, y, 10, kText[static_cast<std::size_t>(t)], turned.c_str());
        for (int s = 0; s <= t; ++s) {
          const double weight = layers[l].values[static_cast<std::size_t>((h * 12 + t) * 12 + s)];
          char opacity[16];
          std::snprintf(opacity, sizeof opacity, "%.2f", weight);
          const std::string cell = "<rect x=\"" + std::to_string(left + s * kCell) + "\" y=\"" +
                                   std::to_string(top + t * kCell) +
                                   "\" width=\"10\" height=\"10\" ";
          out << cell << "fill=\"#E69F00\" fill-opacity=\"" << opacity << "\"/>";
          if (is_expected(l, t, s)) outlines << cell << "fill=\"none\" stroke=\"currentColor\"/>";
        }
      }
      out << outlines.str() << "\n";
    }
  }
  out << "</svg>\n";
  course::write_figure(name + ".svg", out.str());
}

}  // namespace

void draw_heads(const std::vector<Grid>& layers) {
  draw_explorer(layers);
  draw_tables("heads", layers, 4);
  draw_tables("heads_narrow", layers, 2);  // for phones
}
