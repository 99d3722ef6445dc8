#include "tutorials/16_writing/figures.h"

#include "tutorials/common/plot.h"

using namespace course;

void draw_shares(const std::vector<std::string>& ways,
                 const std::vector<std::vector<double>>& shares) {
  std::vector<Series> sets;
  for (std::size_t i = 0; i < ways.size(); ++i) sets.push_back({ways[i], {}, shares[i]});
  plot_bars("choices", {.title = "What is chosen", .x = "logit", .y = "probability"},
            {"2.0", "1.5", "1.0", "0.0", "-1.0"}, sets);
}

void draw_times(const std::vector<double>& lengths, const std::vector<double>& once,
                const std::vector<double>& again) {
  plot_lines("cache_times",
             {.title = "Time for the next token",
              .x = "tokens before it",
              .y = "milliseconds",
              .log_y = true},
             {{"with the cache", lengths, once}, {"reading all again", lengths, again}});
}
