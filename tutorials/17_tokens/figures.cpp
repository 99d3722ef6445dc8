#include "tutorials/17_tokens/figures.h"

#include <ctime>

#include "tutorials/common/plot.h"

void draw_sizes(const std::vector<double>& vocabularies, const std::vector<double>& losses,
                const std::vector<double>& bits) {
  course::plot_lines(
      "token_sizes",
      {.title = "The same tables by two measures",
       .x = "tokens in the vocabulary",
       .y = "nats or bits"},
      {{"nats per token", vocabularies, losses}, {"bits per byte", vocabularies, bits}});
}

double seconds_of_cpu() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
