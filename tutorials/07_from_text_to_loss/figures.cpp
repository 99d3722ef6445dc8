#include "figures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "tutorials/common/part.h"

void run(const char* part, const std::function<void()>& print) {
  const course::Part here(part);
  print();
}

void print_row(const char* name, const course::Grid& x) {
  std::printf("%-19s", name);
  for (const double v : x.values) {
    std::printf("%7.1f", std::isnan(v) ? NAN : v);  // some print -nan
  }
  std::printf("\n");
}

void print_losses(const char* model, const std::vector<double>& untrained,
                  const std::vector<double>& trained) {
  std::printf("held-out loss, five seeds   untrained              after 800 steps\n%-26s", model);
  for (const auto& losses : {untrained, trained}) {
    const auto [least, most] = std::minmax_element(losses.begin(), losses.end());
    std::printf("  %.3f, %.3f to %.3f",
                std::accumulate(losses.begin(), losses.end(), 0.0) / double(losses.size()), *least,
                *most);
  }
  std::printf("\n");
}

namespace course {

namespace {

std::string name_of(char c) { return c == ' ' ? "space" : c == '\n' ? "line" : std::string(1, c); }

/// Where "a before b" is in the table.
std::size_t place(const std::string& vocabulary, char a, char b) {
  return vocabulary.find(a) * vocabulary.size() + vocabulary.find(b);
}

void draw_bigram(const Grid& p, const std::string& vocabulary) {
  const std::string rows = "aehinoqtuyz. ", columns = " .abcdefghijklmnopqrstuvwxyz";
  Grid shown = p;
  shown.shape = {std::ssize(rows), std::ssize(columns)};
  shown.values.clear();
  std::vector<std::string> left, above;
  for (const char row : rows) {
    left.push_back(name_of(row));
    for (const char column : columns) {
      shown.values.push_back(std::sqrt(p.values[place(vocabulary, row, column)]));
    }
  }
  for (const char column : columns) above.push_back(column == ' ' ? "sp" : name_of(column));
  plot_heatmap("bigram", "What (column) comes after what (row): the root of the probability", shown,
               left, above);
}

void draw_surprise(const Grid& p, const std::string& vocabulary) {
  const std::string text = "\nThe fox said";
  std::vector<std::string> names;
  std::vector<double> surprise;
  for (std::size_t i = 1; i < text.size(); ++i) {
    names.push_back(name_of(text[i]));
    surprise.push_back(-std::log(p.values[place(vocabulary, text[i - 1], text[i])]));
  }
  plot_bars(
      "surprise",
      {.title = "How surprised the counted table is at each character", .x = "", .y = "-ln p"},
      names, {{"", {}, surprise}});
}

}  // namespace

void draw(const Grid& p, const std::string& vocabulary) {
  draw_bigram(p, vocabulary);
  draw_surprise(p, vocabulary);
}

}  // namespace course
