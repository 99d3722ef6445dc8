#include "tutorials/22_from_pocket_to_gradus/figures.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

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
  return {all.begin(), all.end()};
}

Time::Time(const std::vector<double>& five) : all(five) {
  std::vector<double> sorted = five;
  std::sort(sorted.begin(), sorted.end());
  ms = sorted[2], spread = sorted[3] - sorted[1];
}

Time operator-(const Time& longer, const Time& shorter) {
  std::vector<double> more = longer.all;
  for (std::size_t i = 0; i < more.size(); ++i) more[i] -= shorter.all[i];
  Time less(more);
  const auto tenths = [](double ms) { return std::round(10 * ms) / 10; };
  less.ms = tenths(longer.ms) - tenths(shorter.ms);
  return less;
}

// plot_lines() ends each curve with "title NAME". So what shall be drawn otherwise follows a curve
// of nothing, and takes the name.
std::string instead(std::size_t series, const std::string& drawn) {
  return "lines lw 0 title '', $s" + std::to_string(series) + " using " + drawn;
}

/// A column of gnuplot's: the words, one for each point.
std::string words_of(const std::vector<std::string>& all) {
  std::string words;
  for (const std::string& each : all) {
    for (const char c : each) words += c == ' ' ? "\u00a0" : std::string(1, c);
    words += ' ';
  }
  return "(word('" + words + "', int($0) + 1))";
}

void draw_roofline(const std::vector<Reached>& ops, double limit,
                   const std::vector<double>& bandwidths, double changed) {
  // Both axes are logarithms with the numbers beside them, so that they can end between decades.
  const auto log = [](double v) { return std::log10(v); };
  std::vector<Series> all;
  const auto axis = [&](bool across, const std::vector<double>& numbers) {
    Series tics{"", {}, {}};
    std::vector<std::string> words;
    for (const double v : numbers) {
      tics.x.push_back(across ? log(v) : log(0.06)), tics.y.push_back(across ? log(2) : log(v));
      words.push_back(v < 1 ? "0.1" : std::to_string(int(v)));
    }
    tics.style = instead(
        all.size(), (across ? "1:2:xtic" : "1:2:ytic") + words_of(words) + " with points ps 0");
    all.push_back(tics);
  };
  axis(true, {0.1, 1, 10, 100}), axis(false, {2, 5, 10, 20, 50, 100, 200});
  for (std::size_t i = 0; i < bandwidths.size(); ++i) {
    const double ridge = limit / bandwidths[i],
                 from = i == 0 ? 0.06 : 0.25;  // left of it are words
    all.push_back({"",
                   {log(from), log(ridge), log(180)},
                   {log(from * bandwidths[i]), log(limit), log(limit)},
                   "lines lw 2 lc black dt " + std::to_string(i + 1)});
    all.push_back({"",
                   {log(ridge), log(ridge)},
                   {log(limit * 0.85), log(limit * 1.18)},
                   "lines lw 2 lc black"});
  }
  Series pocket{"pocket", {}, {}, "points pt 6 ps 1.5 lw 2 lc rgb '#0072B2'"},
      gradus{"gradus", {}, {}, "points pt 5 ps 0.8 lc rgb '#009E73'"};
  std::vector<Series> labels;
  const auto label = [&](double x, double y, const std::string& words, const char* side = "left") {
    labels.push_back({"", {log(x)}, {log(y)}, "1:2:" + words_of({words}) + " with labels " + side});
  };
  for (const Reached& op : ops) {
    pocket.x.push_back(log(op.intensity)), pocket.y.push_back(log(op.pocket));
    gradus.x.push_back(log(op.intensity)), gradus.y.push_back(log(op.gradus));
    const bool is_product = op.intensity > 1;  // all of them are close below the level
    if (is_product && op.intensity * bandwidths[2] < limit) {  // memory's line is on its left
      label(op.intensity * 1.12, op.pocket / 1.33, op.name);
    } else if (is_product) {
      label(op.intensity, std::min(op.pocket, op.gradus) / 1.45, op.name, "center");
    } else {  // both engines' markers are far apart: a thin line joins them
      all.push_back({"",
                     {log(op.intensity), log(op.intensity)},
                     {log(op.pocket), log(op.gradus)},
                     "lines lw 1 lc rgb '#999999'"});
      label(op.intensity * 1.25, op.gradus / 1.15, op.name);
    }
  }
  all.push_back(pocket), all.push_back(gradus);
  const double first = ops[0].intensity, from = ops[0].pocket;
  label(first * 1.2, std::sqrt(changed * from), "known strides");
  label(30, limit * 1.25, "limit of the processor", "center");
  const std::vector<std::string> slopes = {"L2", "L3", "memory"};
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    label(0.3 * limit / bandwidths[i] * 1.17, 0.28 * limit, slopes[i]);
  }
  for (Series& each : labels) {
    each.style = instead(all.size(), each.style);
    all.push_back(each);
  }
  const std::string up = "1:2:(0):(" + std::to_string(log(changed / from)) + ")";
  const std::string style = instead(all.size(), up + " with vectors lw 2 lc rgb '#D55E00'");
  all.push_back({"", {log(first)}, {log(from)}, style});
  plot_lines("roofline_of_ops",
             {.title = "What ops reach, and the limits of this machine",
              .x = "operations for each byte",
              .y = "GFLOP/s, one thread",
              .equal = true},
             all);
}

/// Bars at these places, with words below them if there are any.
Series bars(std::size_t series, const Series& of, double width, const std::string& colour,
            const std::vector<std::string>& words = {}) {
  const std::string tics = words.empty() ? "" : ":xtic" + words_of(words);
  Series drawn = of;
  drawn.style = instead(series, "1:2:(" + std::to_string(width) + ")" + tics +
                                    " with boxes fs solid 1 noborder lc rgb '" + colour + "'");
  return drawn;
}

void draw_spent(const std::vector<OfOp>& ops) {
  struct Stripe {
    std::string name, colour;
    std::vector<double> ms;
  };
  const std::vector<std::string> colours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#999999"};
  std::vector<Stripe> stripes;
  for (const OfOp& op : ops) {  // four by name; the rest is one
    if (stripes.size() < colours.size()) {
      const bool is_rest = stripes.size() + 1 == colours.size();
      stripes.push_back({is_rest ? "all others" : op.op, colours[stripes.size()], {0, 0}});
    }
    std::vector<double>& ms = stripes.back().ms;
    ms[0] += op.ms[OfOp::kPocket], ms[1] += op.ms[OfOp::kGradus];
  }
  std::vector<Series> all, numbers;
  std::vector<double> top(2);
  for (const Stripe& stripe : stripes) {
    Series bar{stripe.name, {}, {}};
    std::ranges::replace(bar.name, '_', ' ');  // gnuplot would write a letter low
    for (std::size_t i = 0; i < top.size(); ++i) {
      top[i] += stripe.ms[i];
      bar.x.push_back(double(i)), bar.y.push_back(top[i]);
      if (stripe.ms[i] < 0.6) continue;  // no room
      char number[16];
      std::snprintf(number, sizeof number, "%.1f", stripe.ms[i]);
      numbers.push_back({number, {double(i)}, {top[i] - stripe.ms[i] / 2}});
    }
    all.push_back(bar);
  }
  std::ranges::reverse(all);  // the longest first, and each shorter one over it
  const Series words{"", {0, 1}, {0, 0}};
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k] = bars(k, all[k], 0.6, colours[colours.size() - 1 - k]);
  }
  all.push_back(bars(all.size(), words, 0.1, "#0072B2", {"pocket", "gradus"}));
  for (Series each : numbers) {
    each.style = instead(all.size(), "1:2:('" + each.name + "') with labels tc rgb '#ffffff'");
    each.name = "";
    all.push_back(each);
  }
  all.push_back({"", {-0.6, 1.6}, {0, 0}, "lines lc black"});
  plot_lines("step_by_op",
             {.title = "What one step spends in its ops", .x = "", .y = "ms", .key_right = true},
             all);
}

void draw_saved(const std::vector<OfOp>& ops) {
  const std::vector<std::string> names = {"layer norm", "softmax", "gelu", "cross-entropy",
                                          "others"};
  Series fused{"fused ops alone", {}, {}}, sum{"faster loops alone", {}, {}};
  Series both{"both at once", {}, {}}, words{"", {}, {}};
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (Series* each : {&fused, &sum, &both, &words}) each->y.push_back(0);
    for (Series* each : {&fused, &sum}) each->x.push_back(double(i) - 0.19);
    both.x.push_back(double(i) + 0.19), words.x.push_back(double(i));
  }
  for (const OfOp& op : ops) {
    std::string name = op.op;
    std::ranges::replace(name, '_', name == "cross_entropy" ? '-' : ' ');
    const std::size_t i = std::min<std::size_t>(
        std::size_t(std::ranges::find(names, name) - names.begin()), names.size() - 1);
    const auto saved = [&op](OfOp::Way way) { return op.ms[OfOp::kPocket] - op.ms[way]; };
    const double by_fused = std::max(0.0, saved(OfOp::kFused));  // GELU's is about 0
    fused.y[i] += by_fused;
    sum.y[i] += by_fused + saved(OfOp::kLoops);
    both.y[i] += saved(OfOp::kChanged);
  }
  std::vector<Series> all = {bars(0, sum, 0.38, "#56B4E9"), bars(1, fused, 0.38, "#E69F00"),
                             bars(2, both, 0.38, "#555555"), bars(3, words, 0.1, "#0072B2", names)};
  // The parts of a bar, from below: each begins where the one before ends.
  const Series* parts[] = {&fused, &sum};
  for (int k = 0; k < 2; ++k) {
    Series numbers{"", {}, {}};
    std::vector<std::string> words;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const double below = k == 0 ? 0 : parts[k - 1]->y[i], part = parts[k]->y[i] - below;
      if (part < 0.22) continue;  // no room
      char number[16];
      std::snprintf(number, sizeof number, "%.1f", part);
      words.push_back(number);
      numbers.x.push_back(parts[k]->x[i]), numbers.y.push_back(below + part / 2);
    }
    numbers.style = instead(all.size(), "1:2:" + words_of(words) + " with labels");
    all.push_back(numbers);
  }
  for (Series each : {sum, both}) {
    each.name = "";
    each.style = instead(all.size(), "1:2:(sprintf('%.1f', $2)) with labels offset 0,0.7");
    all.push_back(each);
  }
  all.push_back({"", {-0.6, 4.6}, {0, 0}, "lines lc black"});
  all.push_back({"", {0}, {1.1 * std::ranges::max(sum.y)}, "points ps 0"});  // room for a number
  plot_lines("saved_by_op", {.title = "What is saved in each op of a step", .x = "", .y = "ms"},
             all);
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
