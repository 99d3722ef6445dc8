// Chapter 09: how tables are printed and drawn.
#include "tutorials/09_self_attention/figures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <sstream>

#include "tutorials/common/part.h"

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

/// Matrices side by side, each under its name, with the words of the sentence before the rows.
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

}  // namespace

void run(const char* part, void (*print)()) {
  const course::Part here(part);
  print();
}

void print_maps(const char* part, const std::string& sentence, const Grid& q, const Grid& k,
                const Grid& v, const Grid& weights) {
  const course::Part here(part);
  print_rows(sentence, {"Q", "K", "V"}, {q, k, v});
  print_weights(sentence, weights);
}

void print_orders(const char* part, const std::string& sentence, const Grid& now,
                  const Grid& before) {
  const course::Part here(part);
  print_rows(sentence, {"new order", "as before"}, {now, before});
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

namespace {

const char* const kOurs = "Hello I love you";
const char* const kVocabulary =
    "Hello Goodbye Sorry Thanks I we they she love miss see know you us them her";
constexpr int kPartner[] = {1, 2, 1, 0};  // of each word, the position of the one it must name

void print_answers(const Grid& itself, const Grid& partner) {
  const auto vocabulary = words_of(kVocabulary);
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

/// Draws the weights of "Hello I love you" as the lectures' table is drawn, with the word itself
/// and its partner outlined in each row.
void draw_weights(const Grid& weights) {
  constexpr int kCell = 54, kLeft = 132, kTop = 52;
  const auto words = words_of(kOurs);
  const int count = static_cast<int>(words.size());
  const Grid table = first(weights);
  std::ostringstream out;
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"380\" height=\"290\" "
         "viewBox=\"0 0 380 290\" font-family=\"sans-serif\">\n"
         "<style>svg{color:#1a1a1a}@media (prefers-color-scheme:dark){svg{color:#e6e6e6}}"
         "@media print{svg{color:#000}}</style>\n";
  const auto text = [&](int x, int y, const std::string& what, const char* anchor = "middle") {
    out << "<text x=\"" << x << "\" y=\"" << y << "\" font-size=\"15\" text-anchor=\"" << anchor
        << "\" fill=\"currentColor\">" << what << "</text>\n";
  };
  text(kLeft + count * kCell / 2, 20, "attends to");
  text(36, kTop + 2 * kCell - 3, "query"), text(36, kTop + 2 * kCell + 14, "word");
  for (int i = 0; i < count; ++i) {
    const std::string& word = words[static_cast<std::size_t>(i)];
    text(kLeft + i * kCell + kCell / 2, kTop - 7, word);
    text(kLeft - 7, kTop + i * kCell + kCell / 2 + 5, word, "end");
    for (int j = 0; j < count; ++j) {
      const double weight = table.values[static_cast<std::size_t>(i * count + j)];
      char opacity[16], shown[16];
      std::snprintf(opacity, sizeof opacity, "%.2f", 0.05 + 0.75 * weight);
      std::snprintf(shown, sizeof shown, "%.1f", weight);
      out << "<rect x=\"" << kLeft + j * kCell << "\" y=\"" << kTop + i * kCell << "\" width=\""
          << kCell << "\" height=\"" << kCell << "\" fill=\"#E69F00\" fill-opacity=\"" << opacity
          << "\" stroke=\"currentColor\" stroke-width=\"0.8\"/>\n";
      text(kLeft + j * kCell + kCell / 2, kTop + i * kCell + kCell / 2 + 5, shown);
    }
  }
  for (int i = 0; i < count; ++i) {
    for (const int j : {i, kPartner[i]}) {
      out << "<rect x=\"" << kLeft + j * kCell + 2 << "\" y=\"" << kTop + i * kCell + 2
          << "\" width=\"" << kCell - 4 << "\" height=\"" << kCell - 4
          << "\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"3\"/>\n";
    }
  }
  out << "</svg>\n";
  course::write_figure("learned.svg", out.str());
}

}  // namespace

void print_learned(int seed, const Grid& weights, const Grid& itself, const Grid& partner) {
  if (seed == 7) {
    draw_weights(weights);
    const course::Part part("learned");
    print_weights(kOurs, weights, 1);
    return print_answers(itself, partner);
  }
  {
    const course::Part part("another_way");
    print_weights(kOurs, weights, 1);
  }
  const course::Part part("another_answers");
  print_answers(itself, partner);
}

void print_verb(int verb, const Grid& weights, const Grid& partner) {
  const auto vocabulary = words_of(kVocabulary);
  const std::string word = vocabulary[static_cast<std::size_t>(verb)];
  const auto named = std::max_element(partner.values.begin() + 16, partner.values.begin() + 32);
  std::printf("Hello I %s you: \"I\" on itself %.1f, on \"%s\" %.1f, names %s\n", word.c_str(),
              weights.values[5], word.c_str(), weights.values[6],
              vocabulary[static_cast<std::size_t>(named - partner.values.begin() - 16)].c_str());
}

int rows_as_expected(const Grid& weights) {
  int count = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const double* row = weights.values.data() + 4 * i;
    const double least = std::min(row[i], row[kPartner[i]]);
    count += least >= 0.1 && std::count_if(row, row + 4, [&](double w) { return w >= least; }) == 2;
  }
  return count;
}

void print_losses_of_guesses() {
  std::printf("loss of guessing word and partner among four:  %.1f\n", 2 * std::log(4));
  std::printf("loss of guessing only the partner among four:  %.1f\n", std::log(4));
}

void print_scale_title() {
  std::printf(
      "width   scores                    largest weight before  after   loss: mean, range\n");
}

void print_scale(const char* what, std::int64_t width, double before, double after,
                 const std::vector<double>& losses) {
  std::printf("%5d   %-24s %22.2f %6.2f   %10.1f, %.1f to %.1f\n", static_cast<int>(width), what,
              before, after,
              std::accumulate(losses.begin(), losses.end(), 0.0) / double(losses.size()),
              *std::min_element(losses.begin(), losses.end()),
              *std::max_element(losses.begin(), losses.end()));
}
