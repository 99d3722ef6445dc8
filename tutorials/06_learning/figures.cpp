#include "figures.h"

#include <algorithm>
#include <cmath>

#include "tutorials/common/plot.h"

using course::Grid, course::Series;

namespace {

/// Where the outputs on the map change their sign.
Series border(const Map& map) {
  Series line{"", {}, {}, "points pt 7 ps 0.2 lc rgb '#009E73'"};
  const std::vector<double>&at = map.places.values, &outputs = map.outputs.values;
  const auto side = static_cast<std::size_t>(std::lround(std::sqrt(outputs.size())));
  for (std::size_t i = 0; i + side < outputs.size(); ++i) {
    for (const std::size_t next : {i + 1, i + side}) {
      const double a = outputs[i], b = outputs[next];
      if ((a > 0) == (b > 0) || (next == i + 1 && next % side == 0)) continue;
      const double share = a / (a - b);
      line.x.push_back(at[2 * i] * (1 - share) + at[2 * next] * share);
      line.y.push_back(at[2 * i + 1] * (1 - share) + at[2 * next + 1] * share);
    }
  }
  return line;
}

/// Heights at regular intervals of steps.
Series by_step(const std::string& name, const std::vector<float>& heights, int every,
               const std::string& style) {
  Series curve{name, {}, {}, style};
  for (std::size_t i = 0; i < heights.size(); ++i) {
    curve.x.push_back(double(i) * every), curve.y.push_back(heights[i]);
  }
  return curve;
}

/// The middle of an arm, sign -1 or 1: where its points are before the noise.
Series middle(double sign, const std::string& colour) {
  Series arm{"", {}, {}, "lines lw 1 lc rgb '" + colour + "'"};
  for (int i = 0; i <= 100; ++i) {
    const double r = i / 100.0;
    arm.x.push_back(sign * r * std::cos(6 * r)), arm.y.push_back(sign * r * std::sin(6 * r));
  }
  return arm;
}

}  // namespace

void draw_spiral(const Grid& x, const Grid& y, const Judged& fresh, const Map& map) {
  Series arms[] = {{"one arm", {}, {}}, {"the other", {}, {}}};
  for (std::size_t i = 0; i < y.values.size(); ++i) {
    Series& arm = arms[y.values[i] > 0];
    arm.x.push_back(x.values[2 * i]), arm.y.push_back(x.values[2 * i + 1]);
  }
  Series missed[] = {{"blue, missed", {}, {}, "points pt 9 ps 1 lc rgb '#0072B2'"},
                     {"orange, missed", {}, {}, "points pt 9 ps 1 lc rgb '#D55E00'"}};
  for (std::size_t i = 0; i < fresh.y.values.size(); ++i) {
    if (fresh.y.values[i] * fresh.outputs.values[i] > 0) continue;
    Series& arm = missed[fresh.y.values[i] > 0];
    arm.x.push_back(fresh.x.values[2 * i]), arm.y.push_back(fresh.x.values[2 * i + 1]);
  }
  const Series line = border(map);
  std::vector<Series> all = {
      arms[0], arms[1], middle(-1, "#0072B2"), middle(1, "#D55E00"), missed[0], missed[1], line};
  if (!line.x.empty()) {  // a line of no length, for the legend: the border itself is of dots
    const double x = line.x[0], y = line.y[0];
    all.push_back({"the net says 0", {x, x}, {y, y}, "lines lw 2.5 lc rgb '#009E73'"});
  }
  course::plot_points(
      "spiral",
      {.title = "Seed 1: " + std::to_string(y.values.size()) + " points learned, " +
                std::to_string(missed[0].x.size() + missed[1].x.size()) + " new ones missed",
       .x = "x",
       .y = "y",
       .equal = true},
      all);
}

void draw_rates(const std::vector<ByRate>& rules) {
  const char* colours[] = {"#0072B2", "#D55E00", "#009E73"};
  std::vector<Series> curves;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const std::string colour = std::string(" lc rgb '") + colours[i] + "'";
    Series means{rules[i].name, {}, rules[i].mean, "linespoints pt 7 ps 0.7 lw 2.5" + colour};
    for (std::size_t k = 0; k < rules[i].rate.size(); ++k) {
      const double x = rules[i].rate[k] * (0.97 + 0.03 * double(i));  // bars beside each other
      means.x.push_back(x);
      curves.push_back(
          {"", {x, x}, {rules[i].least[k], rules[i].most[k]}, "lines lw 1.5" + colour});
    }
    curves.push_back(means);
  }
  course::plot_lines("rates",
                     {.title = "After 400 steps, five seeds: mean, least and largest",
                      .x = "learning rate",
                      .y = "loss in training",
                      .log_x = true,
                      .log_y = true},
                     curves);
}

void draw_paths(const std::vector<Path>& paths) {
  std::vector<Series> curves;
  for (const double height : {0.4, 2.0, 8.0, 20.0}) {  // where w1^2 + 10 w2^2 is this
    for (const int side : {-1, 1}) {
      Series line{"", {}, {}, "lines lw 1 lc rgb '#999999'"};
      const double edge = std::min(1.2, std::sqrt(height));
      for (int i = -50; i <= 50; ++i) {
        const double w1 = edge * std::sin(i * 3.14159265 / 100);
        line.x.push_back(w1), line.y.push_back(side * std::sqrt((height - w1 * w1) / 10));
      }
      curves.push_back(line);
    }
  }
  const char* names[] = {"SGD", "momentum", "Adam"};
  const char* colours[] = {"#0072B2", "#D55E00", "#009E73"};
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::string style = "linespoints pt 7 ps 0.4 lw 2 lc rgb '";
    Series path{names[i], {}, {}, style + colours[i] + "'"};
    for (const auto& [x, y] : paths[i]) path.x.push_back(x), path.y.push_back(y);
    curves.push_back(path);
  }
  curves.push_back({"the goal", {0}, {0}, "points pt 7 ps 1.4 lc rgb '#CC79A7'"});
  course::plot_lines("paths", {.title = "A hundred steps at a rate of 0.01", .x = "w1", .y = "w2"},
                     curves);
}

void draw_losses(const std::vector<std::string>& names,
                 const std::vector<std::vector<float>>& losses, const std::vector<float>& rates) {
  const char* colours[] = {"#D55E00", "#0072B2", "#009E73"};
  std::vector<Series> curves;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    curves.push_back(
        by_step(names[i], losses[i], 1, "lines lw 1.5 lc rgb '" + std::string(colours[i]) + "'"));
  }
  Series rate = by_step("rate of the green one", rates, 1, "lines lw 1 lc rgb '#999999'");
  while (rate.y.back() < 1e-4) rate.x.pop_back(), rate.y.pop_back();
  curves.push_back(rate);
  course::plot_lines(
      "losses",
      {.title = "AdamW at 0.3, seed 1", .x = "step", .y = "loss in training", .log_y = true},
      curves);
}

void draw_stopping(const std::vector<float>& training, const std::vector<float>& validation,
                   const std::vector<float>& with_decay) {
  const auto best = std::min_element(validation.begin(), validation.end());
  const double stop = double(best - validation.begin()) * 20;
  course::plot_lines(
      "stopping",
      {.title = "Seed 2: the loss falls, but not on other points", .x = "step", .y = "loss"},
      {by_step("in training", training, 1, "lines lw 2 lc rgb '#0072B2'"),
       by_step("on the validation set", validation, 20, "lines lw 2 lc rgb '#D55E00'"),
       by_step("there, with decay 1", with_decay, 20, "lines lw 1 lc rgb '#009E73'"),
       {"early stopping", {stop}, {*best}, "points pt 7 ps 1.2 lc rgb '#D55E00'"}});
}
