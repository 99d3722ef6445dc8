#include "tutorials/22_from_pocket_to_gradus/figures.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "tutorials/common/plot.h"

using namespace course;

long pages_taken() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

double ms_now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(now).count();
}

std::vector<double> shortest_ms(const std::vector<std::function<void()>>& runs, int rounds) {
  std::vector<double> best(runs.size(), 1e9);
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const int times = 1 + int(1 / best[i]);  // at first once
      const double start = ms_now();
      for (int k = 0; k < times; ++k) runs[i]();
      best[i] = std::min(best[i], (ms_now() - start) / times);
    }
  }
  return best;
}

std::vector<Time> times_of(const std::vector<std::function<void()>>& runs, int rounds) {
  std::vector<std::vector<double>> all(runs.size());
  for (int i = 0; i < 5; ++i) {
    const std::vector<double> ms = shortest_ms(runs, rounds);
    for (std::size_t k = 0; k < ms.size(); ++k) all[k].push_back(ms[k]);
  }
  std::vector<Time> times;
  for (std::vector<double>& each : all) {
    std::sort(each.begin(), each.end());
    times.push_back({each[2], each[4] - each[0]});
  }
  return times;
}

void draw_roofline(const std::vector<Reached>& ops, double peak,
                   const std::vector<double>& bandwidths) {
  const std::vector<std::string> names = {"limit: second cache", "third cache", "memory"};
  std::vector<Series> all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    Series line{names[i], {}, {}, "lines lw 2 lc black dt " + std::to_string(i + 1)};
    for (double intensity = 0.05; intensity < 300; intensity *= 1.1) {
      line.x.push_back(intensity), line.y.push_back(std::min(peak, intensity * bandwidths[i]));
    }
    const double ridge = peak / bandwidths[i];
    all.push_back(line);
    all.push_back({"", {ridge, ridge}, {peak * 0.7, peak * 1.4}, "lines lw 2 lc black"});
  }
  Series pocket{"pocket", {}, {}, "points pt 6 ps 1.5 lw 2 lc rgb '#0072B2'"},
      gradus{"gradus", {}, {}, "points pt 5 ps 0.8 lc rgb '#009E73'"}, labels{"", {}, {}};
  std::string words;
  for (const Reached& op : ops) {
    pocket.x.push_back(op.intensity), pocket.y.push_back(op.pocket);
    gradus.x.push_back(op.intensity), gradus.y.push_back(op.gradus);
    // Above the slopes, below the level, or beside the points: between two slopes, or below all.
    const bool is_left = op.intensity < 0.4;
    const bool is_right = op.intensity > 1;
    const bool is_below = op.pocket < op.intensity * bandwidths.back();
    labels.x.push_back(op.intensity * (is_left ? 0.75 : is_right ? 1 : 2.4));
    labels.y.push_back(is_left    ? 2.1 * bandwidths[0] * labels.x.back()
                       : is_right ? op.pocket / 2
                       : is_below ? op.pocket
                                  : labels.x.back() * std::sqrt(bandwidths[1] * bandwidths[2]));
    for (const char c : op.name + "|") words += c == ' ' ? "\u00a0" : std::string(1, c);
  }
  std::replace(words.begin(), words.end(), '|', ' ');
  all.push_back(pocket), all.push_back(gradus);
  // gnuplot draws a curve of words if a third column names them.
  labels.style = "points ps 0 title '', $s" + std::to_string(all.size()) + " using 1:2:(word('" +
                 words + "', int($0) + 1)) with labels";
  all.push_back(labels);
  plot_lines("roofline_of_ops",
             {.title = "What ops reach, and the limits of this machine",
              .x = "operations for each byte",
              .y = "GFLOP/s, one thread",
              .log_x = true,
              .log_y = true},
             all);
}

void draw_both(const std::vector<double>& several, const std::vector<double>& one) {
  plot_bars("passes_and_vectors",
            {.title = "A step, by what its ops are and do", .x = "", .y = "ms"},
            {"pocket", "pocket, vectors", "gradus"},
            {{"several passes", {}, several}, {"one pass", {}, one}});
}

void draw_gaps(std::vector<Gap> gaps) {
  std::ranges::sort(gaps, std::greater(), &Gap::middle);
  Series bars{"", {}, {}}, zero{"", {-0.6, double(gaps.size()) - 0.4}, {0, 0}, "lines lc black"};
  std::vector<Series> strokes;
  std::string words;
  for (std::size_t k = 0; k < gaps.size(); ++k) {
    const double x = double(k);
    bars.x.push_back(x), bars.y.push_back(gaps[k].middle), words += gaps[k].op + ' ';
    strokes.push_back({"", {x, x}, {gaps[k].least, gaps[k].most}, "lines lw 2 lc black"});
  }
  // gnuplot writes words below a curve's points if a third column names them.
  bars.style = "lines lw 0 title '', $s0 using 1:2:(0.7):xtic(word('" + words +
               "', int($0) + 1)) with boxes fs solid 0.9 noborder lc rgb '#0072B2'";
  std::vector<Series> all = {bars, zero};
  all.insert(all.end(), strokes.begin(), strokes.end());
  plot_lines("gap_by_op",
             {.title = "What the changed pocket takes more than gradus", .x = "", .y = "ms"}, all);
}

void draw_quadratic(const std::vector<Attention>& rows) {
  Series pocket{"pocket", {}, {}}, blocks{"by blocks, exercise 22.7", {}, {}},
      gradus{"gradus", {}, {}};
  for (const Attention& row : rows) {
    for (Series* each : {&pocket, &blocks, &gradus}) each->x.push_back(row.length);
    pocket.y.push_back(row.mb[0]), blocks.y.push_back(row.mb[1]), gradus.y.push_back(row.mb[2]);
  }
  plot_lines("memory_of_attention",
             {.title = "Memory of attention, forward and backward",
              .x = "positions T",
              .y = "MB at most",
              .log_x = true,
              .log_y = true},
             {pocket, blocks, gradus});
}
