#include "tutorials/22_from_pocket_to_gradus/figures.h"

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif
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

void take_new_pages([[maybe_unused]] bool on) {
#ifdef M_TRIM_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, on ? 16 << 10 : 32 << 20);
  mallopt(M_TRIM_THRESHOLD, on ? 0 : 1 << 30);
#endif
}

namespace {

/// What this thread has computed for, in ms. What else the machine does is not in it.
double ms_of_this_thread() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * double(now.tv_sec) + 1e-6 * double(now.tv_nsec);
}

}  // namespace

std::vector<double> shortest_ms(const std::vector<std::function<void()>>& runs, int rounds) {
  std::vector<double> best(runs.size(), 1e9);
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const double start = ms_of_this_thread();
      runs[i]();
      best[i] = std::min(best[i], ms_of_this_thread() - start);
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
      {.title = "What ops reach, below the roofs of this machine",
       .x = "operations for each byte",
       .y = "GFLOP/s, one thread",
       .log_x = true,
       .log_y = true},
      {roof("roof from the cache", cache), roof("roof from memory", memory), pocket, gradus});
}

void draw_quadratic(const std::vector<Attention>& rows) {
  Series pocket{"pocket: weights [T, T]", {}, {}}, gradus{"gradus: by blocks", {}, {}};
  for (const Attention& row : rows) {
    pocket.x.push_back(row.length), pocket.y.push_back(row.pocket_mb);
    gradus.x.push_back(row.length), gradus.y.push_back(row.gradus_mb);
  }
  plot_lines("memory_of_attention",
             {.title = "Memory of attention, forward and backward",
              .x = "positions T",
              .y = "MB at most",
              .log_x = true,
              .log_y = true},
             {pocket, gradus});
}
