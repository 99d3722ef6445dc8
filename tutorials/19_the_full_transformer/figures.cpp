#include "tutorials/19_the_full_transformer/figures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "cli/attention/explorer.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"

using course::Grid;

std::string spread(const std::vector<double>& runs, int digits) {
  const auto [least, most] = std::minmax_element(runs.begin(), runs.end());
  const double mean =
      std::accumulate(runs.begin(), runs.end(), 0.0) / static_cast<double>(runs.size());
  char words[64];
  std::snprintf(words, sizeof words, "%.*f (%.*f to %.*f)", digits, mean, digits, *least, digits,
                *most);
  return words;
}

void print_columns(const char* title, const Names& names) {
  std::printf("%-5s", title);
  int gap = 1;
  for (const std::string& name : names) {
    const auto letters = std::count_if(name.begin(), name.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xc0) != 0x80;  // of UTF-8, the first bytes
    });
    std::printf("%*s%s", gap, "", name.c_str());
    gap = std::max(1, 9 - static_cast<int>(letters));
  }
  std::printf("\n");
}

void print_losses(const std::vector<double>& losses, double floor) {
  std::printf("step");
  for (std::size_t i = 0; i < losses.size(); i += 100) std::printf(" %5d", static_cast<int>(i));
  std::printf("  last\nloss");
  for (std::size_t i = 0; i < losses.size(); i += 100) std::printf(" %5.2f", losses[i]);
  std::printf(" %5.2f\nno model can reach less than %.3f\n", losses.back(), floor);
}

void print_token(int token, const std::string& word, double logit, double log_p) {
  std::printf("%5d  %-8s %6.2f %16.2f %12.3f\n", token, word.c_str(), logit, log_p,
              std::exp(log_p));
}

void draw_alignment(const Grid& weights) {
  course::plot_heatmap("translated",
                       "Which source word (column) each written word (row) attends to", weights,
                       {"name", "verb", "article", "noun", "adjective", "full stop", "<EOS>"},
                       {"name", "verb", "article", "adjective", "noun", "full stop"});
}

void draw_explorer(const std::vector<Grid>& layers, const Names& read, const Names& written,
                   const Names& source) {
  gradus::Attentions shown{.queries = written,
                           .keys = source,
                           .layers = {},
                           .notes = {},
                           .caption =
                               "Layer: 1 or 2. Head: 1 to 4, or the mean of the four. Left: "
                               "each word, as it is written next. Right: the source.",
                           .ends_with_mean = true};
  for (const Grid& layer : layers) {
    const std::size_t heads = layer.shape[0], size = layer.values.size() / heads;
    shown.layers.push_back({heads + 1, layer.values});
    for (std::size_t i = 0; i < size; ++i) {
      double sum = 0;
      for (std::size_t h = 0; h < heads; ++h) sum += layer.values[h * size + i];
      shown.layers.back().values.push_back(sum / static_cast<double>(heads));
    }
  }
  for (std::size_t t = 0; t < written.size(); ++t) {
    shown.notes.push_back("read " + read[t] + ", wrote " + written[t]);
  }
  course::write_figure("explorer.html", gradus::attention_explorer("explorer_19", shown));
}

void print_long(const std::vector<Searched>& searched, const Ends& ends) {
  {
    const course::Part part("search");
    std::printf("steps  %-23s %-23s mean ln P: greedy, beam\n", "right, greedy",
                "right, beam of 4");
    for (const Searched& row : searched) {
      std::printf("%5d  %-23s %-23s %6.2f %6.2f\n", row.steps, spread(row.greedy, 2).c_str(),
                  spread(row.beam, 2).c_str(), row.greedy_log_p, row.beam_log_p);
    }
    for (const Searched& row : searched) {
      if (row.wrong == 0) continue;
      std::printf(
          "%d steps: in %d of the beam's %d errors, each right translation is less probable\n",
          row.steps, row.preferred, row.wrong);
    }
  }
  {
    const course::Part part("seeds");
    std::printf("last loss with the source    %s\n", spread(ends.loss, 2).c_str());
    std::printf("last loss without it         %s\n", spread(ends.loss_without, 2).c_str());
  }
  {
    const course::Part part("pointed");
    std::printf("layer 1 points to the word   %s\n", spread(ends.layer_1, 2).c_str());
    std::printf("layer 2 points to the word   %s\n", spread(ends.layer_2, 2).c_str());
  }
  const course::Part part("beams");
  std::printf("both translations of the Chile sentence: %d of %d seeds\n", ends.both,
              static_cast<int>(ends.loss.size()));
  std::printf("a more probable one for \"They are tired.\": %d of %d seeds\n", ends.more_probable,
              static_cast<int>(ends.loss.size()));
}

void print_choices_title() {
  std::printf("%-29s steps  %-21s %-21s %s\n", "held-out sentences", "loss per token",
              "P of right ones", "right, greedy");
}

void print_choice(const char* name, int steps, const std::vector<double>& losses,
                  const std::vector<double>& probabilities, const std::vector<double>& right) {
  std::printf("%-29s %5d  %-21s %-21s %s\n", name, steps, spread(losses, 2).c_str(),
              spread(probabilities, 2).c_str(), spread(right, 2).c_str());
}
