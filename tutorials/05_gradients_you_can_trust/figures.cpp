#include "figures.h"

#include <cmath>
#include <limits>

#include "tutorials/common/plot.h"

using course::Series;

void draw_v_curve(double (*in_float)(float step), double (*in_double)(double step)) {
  Series single{"float", {}, {}}, twice{"double", {}, {}},
      truncation{"truncation, h^{/=14 2} / 6", {}, {}, "lines lw 1.5 dt 2 lc rgb '#0072B2'"},
      rounding{"rounding in double, epsilon / 2h", {}, {}, "lines lw 1.5 dt 2 lc rgb '#D55E00'"};
  const auto add = [](Series& to, double h, double error) {
    to.x.push_back(h), to.y.push_back(error);
  };
  for (int i = 4; i <= 13 * 4; ++i) {
    const double h = std::pow(10, -i / 4.0);
    if (h > 1e-7) add(single, h, in_float(float(h))), add(truncation, h, h * h / 6);
    if (h < 1e-2) add(rounding, h, std::numeric_limits<double>::epsilon() / (2 * h));
    add(twice, h, in_double(h));
  }
  course::plot_lines("v_curve",
                     {.title = "A smaller step helps until rounding takes over",
                      .x = "step h",
                      .y = "relative error",
                      .log_x = true,
                      .log_y = true},
                     {truncation, rounding, twice, single});
}
