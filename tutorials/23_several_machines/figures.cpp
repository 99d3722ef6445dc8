#include "tutorials/23_several_machines/figures.h"

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include "tutorials/common/plot.h"

using namespace course;

void draw_drift(const std::vector<Curve>& curves) {
  std::vector<Series> all;
  for (const Curve& curve : curves) {
    Series series{curve.name, {}, {}};
    for (std::size_t i = 0; i < curve.values.size(); ++i) {
      if (curve.values[i] <= 0) continue;  // no difference has no logarithm
      series.x.push_back(static_cast<double>(i + 1)), series.y.push_back(curve.values[i]);
    }
    all.push_back(series);
  }
  plot_lines("copies_drift",
             {.title = "The largest difference between two ranks' weights",
              .x = "step",
              .y = "difference",
              .log_y = true},
             all);
}

void draw_scaling(const std::vector<int>& machines, const std::vector<Curve>& speeds) {
  const std::vector<double> x(machines.begin(), machines.end());
  std::vector<Series> all;
  for (const Curve& curve : speeds) all.push_back({curve.name, x, curve.values});
  all.push_back({"if sums took no time", x, x, "lines dt 2 lw 2 lc rgb '#888888'"});
  plot_lines("machines_speedup",
             {.title = "One fixed batch: how many times as fast",
              .x = "machines",
              .y = "times one machine",
              .log_x = true,
              .log_y = true},
             all);
}

void keep_memory() {
#ifdef M_TRIM_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}
