// Exercise 23.9: steps between two means
#include "tutorials/23_several_machines/processes.h"

using namespace course;

// Two ranks fit w to rows (x, y) by the mean of (w x - y)^2. Each has two of the four rows, and
// both start at w = 0. Each takes `every` steps along its own gradient; then both take the mean of
// their weights, and so on, for 2,000 steps.
int main() {
  struct Run {
    float rate;
    int every;
  };
  for (const Run run : {Run{0.02f, 1}, Run{0.02f, 10}, Run{0.02f, 100}, Run{0.002f, 10}}) {
    in_ranks(2, [run](Ranks& ranks) {
      const int other = 1 - ranks.rank, first = 2 * ranks.rank;
      const float x[] = {1, 2, 3, 4}, y[] = {4, 3, 1, 8};
      float w = 0, own = 0, theirs = 0;
      for (int step = 1; step <= 2000; ++step) {
        float gradient = 0;
        for (const int i : {first, first + 1}) gradient += x[i] * (w * x[i] - y[i]);
        w -= run.rate * gradient;
        if (step % run.every != 0) continue;
        own = w;  // before the mean
        ranks.transfer(other, {&own, 1}, other, {&theirs, 1});
        w = (own + theirs) / 2;
      }
      if (ranks.rank > 0) return;
      std::printf("rate %.3f, a mean every %3d steps:  %.3f and %.3f, mean %.3f\n",
                  double{run.rate}, run.every, double{own}, double{theirs}, double{w});
    });
  }
}
