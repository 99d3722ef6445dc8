#include "figures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <sstream>

#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"

using course::Grid;
using course::Part;

void run(const char* name, void (*part)()) {
  const Part here(name);
  part();
}

std::string spread(const std::vector<double>& runs, int digits) {
  const auto [least, most] = std::minmax_element(runs.begin(), runs.end());
  const double mean =
      std::accumulate(runs.begin(), runs.end(), 0.0) / static_cast<double>(runs.size());
  char words[64];
  std::snprintf(words, sizeof words, "%.*f (%.*f to %.*f)", digits, mean, digits, *least, digits,
                *most);
  return words;
}

void print_matrix(const std::string& title, const Grid& x, const Names& rows,
                  const Names& columns) {
  std::printf("%s\n%-6s", title.c_str(), "");
  for (const std::string& name : columns) std::printf(" %6s", name.c_str());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::printf("\n%-6s", rows[i].c_str());
    for (std::size_t j = 0; j < columns.size(); ++j) {
      std::printf(" %6.2f", x.values[i * columns.size() + j]);
    }
  }
  std::printf("\n");
}

void print_row(const std::string& what, const Grid& x) {
  std::printf("%-34s", what.c_str());
  double total = 0;
  for (const double value : x.values) {
    std::isnan(value) ? std::printf("   nan") : std::printf(" %5.2f", value);
    total += value;
  }
  std::isnan(total) ? std::printf("   sum nan\n") : std::printf("   sum %.2f\n", total);
}

void print_four(const char* what, const Grid& x) {
  std::printf("%-28s", what);
  for (std::size_t i = 0; i < 4; ++i) std::printf(" %7.3f", x.values[i]);
  std::printf("\n");
}

void print_words(const Names& words) {
  std::printf("%-12s", "");
  for (const std::string& word : words) std::printf(" %8s", word.c_str());
  std::printf("\n");
}

void print_same(const char* what, const Grid& y, const Grid& z) {
  std::printf("%-12s", what);
  for (auto at = y.values.begin(); at != y.values.end(); at += y.size(2)) {
    const bool same = std::equal(at, at + y.size(2), z.values.begin() + (at - y.values.begin()));
    std::printf(" %8s", same ? "same" : "changed");
  }
  std::printf("\n");
}

void print_shape(const char* what, const Grid& x) {
  std::printf("%-10s ", what);
  for (std::size_t i = 0; i < x.shape.size(); ++i) {
    std::printf("%s%d", i > 0 ? ", " : "[", static_cast<int>(x.shape[i]));
  }
  std::printf("]\n");
}

void print_dependence(const char* part, const Grid& depends) {
  const Part here(part);
  print_matrix("causal", depends, kGreeting, kGreeting);
  bool exact = true;
  for (std::size_t i = 0; i < 16; ++i) exact = exact && (i % 4 <= i / 4 || depends.values[i] == 0);
  std::printf("above the diagonal: %s\n", exact ? "exactly 0" : "not 0");
}

void print_blind(const char* part, double plain, double random) {
  const Part here(part);
  std::printf("a plain sum:    %s\n", plain < 1e-6 ? "below 0.000001" : "above it");
  std::printf("random weights: %.3f\n", random);
}

void print_judged(const Judged& masked, const Judged& not_causal, const Judged& padding) {
  std::printf("%-15s  %-22s  %-16s  %s\n", "", "training loss", "rows right",
              "right, 7 more paddings");
  for (const Judged* runs : {&masked, &not_causal, &padding}) {
    std::printf("%-15s  %-22s  %-16s  %s\n", runs->name, spread(runs->losses, 3).c_str(),
                spread(runs->right, 1).c_str(), spread(runs->with_more, 1).c_str());
  }
  const auto print = [](const char* what, const std::vector<double>& weights) {
    std::printf("%s:", what);
    for (const double weight : weights) std::printf(" %.1f", weight);
    std::printf("\n");
  };
  print("all masks: weight on the source letter to write", masked.on_the_letter);
  print("no causal mask: weight on the next position", not_causal.on_the_next);
  print("no causal mask: rows right", not_causal.right);
  print("all masks, seed 1: the encoder's full stop on c a d b e f .", masked.full_stop);
}

void draw_alignment(const Grid& weights, const Grid& written_tokens, const Grid& source_tokens) {
  const auto letters = [](const Grid& tokens) {
    Names names;
    for (const double token : tokens.values) {
      names.emplace_back(1, "-.abcdefghijkl"[static_cast<std::size_t>(token)]);
    }
    return names;
  };
  const Names written = letters(written_tokens), source = letters(source_tokens);
  constexpr int kCell = 40, kLeft = 120, kTop = 60;
  const int side = kCell * static_cast<int>(source.size());
  std::ostringstream out;
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << kLeft + side + 40 << "\" height=\""
      << kTop + side + 10 << "\" viewBox=\"0 0 " << kLeft + side + 40 << " " << kTop + side + 10
      << "\" font-family=\"sans-serif\" aria-label=\"A table of weights: "
      << "each written letter attends to a letter of the source.\">\n"
      << "<style>svg{color:#1a1a1a}@media (prefers-color-scheme:dark){svg{color:#e6e6e6}}"
      << "@media print{svg{color:#000}}</style>\n";
  const auto text = [&](int x, int y, const std::string& what, const char* anchor = "middle") {
    out << "<text x=\"" << x << "\" y=\"" << y << "\" font-size=\"15\" text-anchor=\"" << anchor
        << "\" fill=\"currentColor\">" << what << "</text>\n";
  };
  text(kLeft + side / 2, 20, "attends to: source");
  text(12, kTop + side / 2 + 5, "written", "start");
  for (std::size_t j = 0; j < source.size(); ++j) {
    text(kLeft + kCell * static_cast<int>(j) + kCell / 2, kTop - 9, source[j]);
  }
  for (std::size_t i = 0; i < written.size(); ++i) {
    const int y = kTop + kCell * static_cast<int>(i);
    text(kLeft - 10, y + kCell / 2 + 5, written[i], "end");
    for (std::size_t j = 0; j < source.size(); ++j) {
      const double weight = weights.values[i * source.size() + j];
      char opacity[16], shown[16];
      std::snprintf(opacity, sizeof opacity, "%.2f", 0.05 + 0.75 * weight);
      std::snprintf(shown, sizeof shown, "%.1f", weight);
      const int x = kLeft + kCell * static_cast<int>(j);
      out << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << kCell << "\" height=\""
          << kCell << "\" fill=\"#E69F00\" fill-opacity=\"" << opacity
          << "\" stroke=\"currentColor\" stroke-width=\"0.8\"/>\n";
      text(x + kCell / 2, y + kCell / 2 + 5, shown);
    }
  }
  out << "</svg>\n";
  course::write_figure("alignment.svg", out.str());
}
