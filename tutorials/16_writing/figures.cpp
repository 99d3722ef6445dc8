#include "tutorials/16_writing/figures.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <utility>

#include "tutorials/common/plot.h"

using namespace course;

void print_token(std::int32_t token, char character, double logit, double log, double share) {
  static bool first = true;
  if (std::exchange(first, false)) {
    std::printf("token  character  logit  log-probability  probability\n");
  }
  const std::string name = character == ' '    ? "space"
                           : character == '\n' ? "line"
                                               : std::string(1, character);
  std::printf("%5d  %-9s  %5.2f  %15.2f  %11.3f\n", int(token), name.c_str(), logit, log, share);
}

std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', '/');
  return text;
}

std::vector<std::string> whole_words(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (std::isalpha(static_cast<unsigned char>(c))) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  words.pop_back();  // empty, or cut off
  return words;
}

void print_counts(const char* name, const std::vector<double>& real,
                  const std::vector<double>& repeated) {
  static bool first = true;
  if (std::exchange(first, false)) {
    std::printf("                 words of the tales     repeated\n");
  }
  std::printf("%-15s", name);
  for (const auto& x : {real, repeated}) {
    const auto [least, most] = std::minmax_element(x.begin(), x.end());
    std::printf("  %.2f (%.2f to %.2f)",
                std::accumulate(x.begin(), x.end(), 0.0) / double(x.size()), *least, *most);
  }
  std::printf("\n");
}

double shortest_ms(const std::function<void()>& run) {
  double best = 1e9;
  for (int i = 0; i < 20; ++i) {
    const std::clock_t start = std::clock();
    run();
    best = std::min(best, 1e3 * double(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
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
