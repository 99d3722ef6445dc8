#include "tutorials/22_from_pocket_to_gradus/figures.h"

#include <sys/resource.h>

#include <algorithm>
#include <ctime>

#include "tutorials/common/plot.h"

using namespace course;

long pages_taken() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

double ms_of_this_thread() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * double(now.tv_sec) + 1e-6 * double(now.tv_nsec);
}

std::vector<double> shortest_ms(const std::vector<std::function<void()>>& runs, int rounds) {
  std::vector<double> best(runs.size(), 1e9);
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const int times = 1 + int(1 / best[i]);  // at first once
      const double start = ms_of_this_thread();
      for (int k = 0; k < times; ++k) runs[i]();
      best[i] = std::min(best[i], (ms_of_this_thread() - start) / times);
    }
  }
  return best;
}

void draw_roofline(const std::vector<Reached>& ops, double peak, double memory, double cache) {
  const auto roof = [&](const char* name, double bandwidth) {
    Series line{name, {}, {}, "lines lw 2"};
    for (double intensity = 0.05; intensity < 300; intensity *= 1.1) {
      line.x.push_back(intensity), line.y.push_back(std::min(peak, intensity * bandwidth));
    }
    return line;
  };
  Series pocket{"pocket", {}, {}, "points pt 6 ps 2 lw 2"},
      gradus{"gradus", {}, {}, "points pt 5 ps 0.8"};
  for (const Reached& op : ops) {
    pocket.x.push_back(op.intensity), pocket.y.push_back(op.pocket);
    gradus.x.push_back(op.intensity), gradus.y.push_back(op.gradus);
  }
  plot_lines(
      "roofline_of_ops",
      {.title = "What ops reach, and the limits of this machine",
       .x = "operations for each byte",
       .y = "GFLOP/s, one thread",
       .log_x = true,
       .log_y = true},
      {roof("limit from the cache", cache), roof("limit from memory", memory), pocket, gradus});
}

void draw_quadratic(const std::vector<Attention>& rows) {
  Series pocket{"pocket", {}, {}}, blocks{"by blocks, exercise 22.6", {}, {}},
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
