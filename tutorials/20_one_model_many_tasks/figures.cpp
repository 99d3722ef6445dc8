#include "tutorials/20_one_model_many_tasks/figures.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <numeric>

#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"

void print_heads(const std::string& rows, const std::vector<std::string>& columns) {
  std::printf("%-24s", rows.c_str());
  for (const std::string& name : columns) std::printf("  %-17s", name.c_str());
  std::printf("\n");
}

void print_row(const std::string& name, const std::vector<std::vector<double>>& columns) {
  std::printf("%-24s", name.c_str());
  for (const std::vector<double>& seeds : columns) {
    const double sum = std::accumulate(seeds.begin(), seeds.end(), 0.0);
    std::printf("  %4.2f", sum / double(seeds.size()));
    const auto [least, most] = std::minmax_element(seeds.begin(), seeds.end());
    std::printf(" %4.2f to %4.2f", *least, *most);
  }
  std::printf("\n");
}

void print_table(const char* part, const std::string& head, const std::vector<std::string>& columns,
                 const std::vector<std::string>& names,
                 const std::vector<std::vector<std::vector<double>>>& rows) {
  const course::Part name(part);
  print_heads(head, columns);
  for (std::size_t i = 0; i < rows.size(); ++i) print_row(names[i], rows[i]);
}

void print_seeds(const char* part, const std::vector<std::vector<double>>& seeds) {
  const course::Part name(part);
  std::printf("steps");
  for (std::size_t seed = 1; seed <= seeds.size(); ++seed) std::printf("  seed %zu", seed);
  for (std::size_t i = 0; i < seeds[0].size(); ++i) {
    std::printf("\n%5zu", 100 * i);
    for (const std::vector<double>& shares : seeds) std::printf("%8.2f", shares[i]);
  }
  std::printf("\n");
}

void print_words(const char* part, const std::vector<std::string>& words,
                 const std::vector<std::vector<std::vector<double>>>& seeds) {
  const course::Part name(part);
  std::printf("0.9 right at   ");
  for (std::size_t seed = 1; seed <= seeds.size(); ++seed) std::printf("  seed %zu", seed);
  for (std::size_t word = 0; word < words.size(); ++word) {
    std::printf("\n%-15s", words[word].c_str());
    for (const std::vector<std::vector<double>>& shares : seeds) {
      std::size_t i = shares.size();  // the first of the last looks that are all above 0.9
      while (i > 0 && shares[i - 1][word] >= 0.9) --i;
      std::printf("%8s", i < shares.size() ? std::to_string(100 * i).c_str() : "-");
    }
  }
  std::printf("\n");
}

void print_shares(const char* part, const std::vector<std::string>& words,
                  const std::vector<std::vector<double>>& shares) {
  const course::Part name(part);
  std::printf("steps");
  for (const std::string& word : words) std::printf("  %10s", word.c_str());
  for (std::size_t i = 0; i < shares.size(); ++i) {
    std::printf("\n%5zu", 100 * i);
    for (const double share : shares[i]) std::printf("%12.2f", share);
  }
  std::printf("\n");
}

void draw_forgetting(const std::vector<double>& steps, const std::vector<double>& alone,
                     const std::vector<double>& mixed) {
  course::plot_lines("forgetting",
                     {.title = "Fine-tuning on tweets",
                      .x = "steps of fine-tuning",
                      .y = "loss on translations, held out"},
                     {{"tweets alone", steps, alone}, {"with 4 of 16 old rows", steps, mixed}});
}

double seconds_of_cpu() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
