// Chapter 09: how tables are printed and drawn.
#include "tutorials/09_self_attention/figures.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <sstream>

using course::Grid;

std::vector<std::string> words_of(const std::string& sentence) {
  std::istringstream in(sentence);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

namespace {

/// The first matrix of a batch.
Grid first(Grid x) {
  x.shape.erase(x.shape.begin(), x.shape.end() - 2);
  x.values.resize(static_cast<std::size_t>(x.size(0) * x.size(1)));
  return x;
}

}  // namespace

void print_rows(const std::string& sentence, const std::vector<std::string>& names,
                const std::vector<Grid>& all) {
  const auto words = words_of(sentence);
  std::printf("%-7s", "");
  for (std::size_t n = 0; n < all.size(); ++n) {
    const int width = 6 * static_cast<int>(all[n].size(1));
    std::printf("%*s%s", width, names[n].c_str(), n + 1 < all.size() ? "   " : "\n");
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::printf("%-7s", words[i].c_str());
    for (std::size_t n = 0; n < all.size(); ++n) {
      const auto width = static_cast<std::size_t>(all[n].size(1));
      for (std::size_t j = 0; j < width; ++j) std::printf(" %5.2f", all[n].values[i * width + j]);
      std::printf(n + 1 < all.size() ? "   " : "\n");
    }
  }
}

void print_weights(const std::string& sentence, const Grid& weights, int digits) {
  const auto words = words_of(sentence);
  const Grid table = first(weights);
  std::printf("%-7s", "");
  for (const std::string& word : words) std::printf(" %6s", word.c_str());
  std::printf("\n");
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::printf("%-7s", words[i].c_str());
    for (std::size_t j = 0; j < words.size(); ++j) {
      std::printf(" %6.*f", digits, table.values[i * words.size() + j]);
    }
    std::printf("\n");
  }
}

void print_answers(const Grid& itself, const Grid& partner) {
  const auto vocabulary =
      words_of("Hello Goodbye Sorry Thanks I we they she love miss see know you us them her");
  double least = 1;
  const auto most_probable = [&](const char* what, const Grid& all) {
    std::printf("%s", what);
    for (auto row = all.values.begin(); row < all.values.end(); row += 16) {
      const auto best = std::max_element(row, row + 16);
      least = std::min(least, *best);
      std::printf(" %s", vocabulary[static_cast<std::size_t>(best - row)].c_str());
    }
  };
  most_probable("itself:", itself);
  most_probable("   partner:", partner);
  std::printf("   (each with %.2f or more)\n", least);
}

int rows_as_expected(const Grid& weights) {
  const std::size_t partner[] = {1, 2, 1, 0};
  int count = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const double* row = weights.values.data() + 4 * i;
    const double least = std::min(row[i], row[partner[i]]);
    count += least >= 0.1 && std::count_if(row, row + 4, [&](double w) { return w >= least; }) == 2;
  }
  return count;
}

void print_scale(std::int64_t width, bool divided, double largest,
                 const std::vector<double>& losses) {
  std::printf("%5d   %-11s %16.2f   %10.1f, %.1f to %.1f\n", static_cast<int>(width),
              divided ? "divided" : "not divided", largest,
              std::accumulate(losses.begin(), losses.end(), 0.0) / double(losses.size()),
              *std::min_element(losses.begin(), losses.end()),
              *std::max_element(losses.begin(), losses.end()));
}

void draw_weights(const std::string& name, const std::string& title, const std::string& sentence,
                  const Grid& weights) {
  const auto words = words_of(sentence);
  course::plot_heatmap(name, title, first(weights), words, words);
}
