#include "figures.h"

#include <cmath>

#include "tutorials/common/plot.h"

using course::Grid, course::Series;

void draw_spiral(const Grid& x, const Grid& y, const Grid& places, const Grid& outputs) {
  Series arms[] = {{"one arm", {}, {}}, {"the other", {}, {}}}, line{"the net says 0", {}, {}};
  for (std::size_t i = 0; i < y.values.size(); ++i) {
    Series& arm = arms[y.values[i] > 0];
    arm.x.push_back(x.values[2 * i]), arm.y.push_back(x.values[2 * i + 1]);
  }
  const auto side = static_cast<std::size_t>(std::lround(std::sqrt(outputs.values.size())));
  for (std::size_t i = 0; i + side < outputs.values.size(); ++i) {
    for (const std::size_t next : {i + 1, i + side}) {
      const double a = outputs.values[i], b = outputs.values[next];
      if ((a > 0) == (b > 0) || (next == i + 1 && next % side == 0)) continue;
      const double share = a / (a - b);
      line.x.push_back(places.values[2 * i] * (1 - share) + places.values[2 * next] * share);
      line.y.push_back(places.values[2 * i + 1] * (1 - share) +
                       places.values[2 * next + 1] * share);
    }
  }
  course::plot_points("spiral",
                      {.title = "Sixty points learnt, and the line between", .x = "x", .y = "y"},
                      {arms[0], arms[1], line});
}
