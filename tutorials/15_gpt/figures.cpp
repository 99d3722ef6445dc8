#include "tutorials/15_gpt/figures.h"

#include <cstdio>
#include <ctime>
#include <string>

#include "tutorials/common/plot.h"

using namespace course;

namespace {

/// The mean of each ten losses: one batch alone says little.
Series smooth(const char* name, const std::vector<double>& losses) {
  Series curve{name, {}, {}};
  for (std::size_t begin = 0; begin + 10 <= losses.size(); begin += 10) {
    double total = 0;
    for (std::size_t i = 0; i < 10; ++i) total += losses[begin + i];
    curve.x.push_back(static_cast<double>(begin)), curve.y.push_back(total / 10);
  }
  return curve;
}

}  // namespace

void draw_leak(const std::vector<double>& masked, const std::vector<double>& open,
               const Landmarks& known) {
  const auto level = [&](const char* name, double loss, const char* dashes) {
    return Series{name,
                  {0, static_cast<double>(masked.size())},
                  {loss, loss},
                  std::string("lines lw 1.5 lc rgb '#808080' dt ") + dashes};
  };
  for (const bool narrow : {false, true}) {
    plot_lines(narrow ? "leak_curves_narrow" : "leak_curves",
               {.title = "The loss in training",
                .x = "step",
                .y = "nats",
                .log_y = true,
                .narrow = narrow},
               {smooth("with the mask", masked), smooth("without", open),
                level("ln V", known.ln_v, "1"), level("characters", known.singles, "2"),
                level("pairs", known.pairs, "3"), level("people, at best", 0.42, "4")});
  }
}

void print_sizes(const Sizes& ours, const Sizes& theirs) {
  long long our_sum = 0, their_sum = 0;
  const auto row = [&](const char* name, const auto& size) {
    our_sum += size(ours), their_sum += size(theirs);
    std::printf("%-12s %9lld %12lld\n", name, size(ours), size(theirs));
  };
  std::printf("%-12s %9s %12s\n", "", "ours", "GPT-2");
  row("tokens", [](const Sizes& x) { return x.vocab_size * x.n_embd; });
  row("positions", [](const Sizes& x) { return x.n_positions * x.n_embd; });
  // Four matrices [C, C]; [C, 4 C] and [4 C, C]; two norms a block, and the last. All with biases.
  const auto c = [](const Sizes& x) { return x.n_embd; };
  row("attention", [&](const Sizes& x) { return x.n_layer * (4 * c(x) * c(x) + 4 * c(x)); });
  row("feed-forward", [&](const Sizes& x) { return x.n_layer * (8 * c(x) * c(x) + 5 * c(x)); });
  row("norms", [&](const Sizes& x) { return x.n_layer * 4 * c(x) + 2 * c(x); });
  std::printf("%-12s %9lld %12lld\n", "together", our_sum, their_sum);
  std::printf("%-12s %9lld %12lld\n", "untied", our_sum + ours.vocab_size * ours.n_embd,
              their_sum + theirs.vocab_size * theirs.n_embd);
}

double seconds_of_cpu() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
