#include "tutorials/17_tokens/figures.h"

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include <ctime>

#include "tutorials/common/plot.h"

void draw_sizes(const std::vector<double>& vocabularies, const std::vector<double>& losses,
                const std::vector<double>& bits) {
  course::plot_lines(
      "token_sizes",
      {.title = "The same tables by two measures", .x = "tokens in the vocabulary", .y = "loss"},
      {{"nats per token", vocabularies, losses}, {"bits per byte", vocabularies, bits}});
}

void keep_memory() {
#ifdef M_TRIM_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

double seconds_of_cpu() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
