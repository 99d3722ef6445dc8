#include "tutorials/23_several_machines/figures.h"

#include "tutorials/common/plot.h"

using namespace course;

namespace {

/// Words at a point, as the last of these series.
void add_words(std::vector<Series>& all, const std::string& words, double x, double y,
               const std::string& colour) {
  // gnuplot draws a curve of words if a third column names them.
  all.push_back({"",
                 {x},
                 {y},
                 "points ps 0 title '', $s" + std::to_string(all.size()) + " using 1:2:('" + words +
                     "') with labels tc rgb '" + colour + "'"});
}

}  // namespace

void draw_drift(const std::vector<Curve>& curves) {
  const std::vector<std::string> colours = {"#009E73", "#0072B2", "#D55E00", "#CC79A7"};
  const std::vector<double> x = {42, 50, 14, 36},
                            y = {1.2e-6, 0.7, 0.5, 1.2e-3};  // of each curve's name
  std::vector<Series> all;
  std::vector<std::string> names;
  for (const Curve& curve : curves) {
    if (curve.values.back() <= 0) continue;  // no difference has no logarithm
    Series series{"", {}, curve.values, "lines lw 2.5 lc rgb '" + colours.at(names.size()) + "'"};
    for (std::size_t i = 0; i < curve.values.size(); ++i) series.x.push_back(double(i + 1));
    all.push_back(series), names.push_back(curve.name);
  }
  const double last_bit = 0x1p-23;
  all.push_back({"", {1, 60}, {last_bit, last_bit}, "lines dt 2 lw 2 lc rgb '#888888'"});
  add_words(all, "last bit of a float from 1 to 2", 38, 5e-8, "#888888");
  for (std::size_t i = 0; i < names.size(); ++i) add_words(all, names[i], x[i], y[i], colours[i]);
  plot_lines("copies_drift",
             {.title = "The largest difference between the weights of ranks 0 and 1",
              .x = "step",
              .y = "difference",
              .log_y = true},
             all);
}

void draw_scaling(const std::vector<Curve>& speeds) {
  const std::vector<std::string> colours = {"#0072B2", "#009E73", "#D55E00"};
  const std::vector<double> at = {54, 53, 44}, height = {31, 12.5, 2.2};  // of each curve's name
  std::vector<double> x;
  for (std::size_t n = 1; n <= speeds[0].values.size(); ++n) x.push_back(double(n));
  std::vector<Series> all = {{"", x, x, "lines dt 2 lw 2 lc rgb '#888888'"}};
  for (std::size_t i = 0; i < speeds.size(); ++i)
    all.push_back({"", x, speeds[i].values, "lines lw 2.5 lc rgb '" + colours.at(i) + "'"});
  all.push_back({"", {1, 64}, {1, 1}, "lines lw 1 lc rgb '#888888'"});
  add_words(all, "if sums took no time", 21, 40, "#888888");
  add_words(all, "one machine", 9, 0.7, "#888888");
  for (std::size_t i = 0; i < speeds.size(); ++i)
    add_words(all, speeds[i].name, at[i], height[i], colours[i]);
  plot_lines("machines_speedup",
             {.title = "GPT-2's step, one batch for all machines",
              .x = "machines",
              .y = "speed-up",
              .log_y = true},
             all);
}
