// Exercise 23.7: a mean of weights, once
#include "tutorials/23_several_machines/processes.h"

using namespace course;

// Two ranks fit w to rows (x, y) by the mean of (w x - y)^2. Each has two of the four rows, and a
// start of its own. In each step, they add up their gradients. At step 50 alone, they also take the
// mean of their weights.
int main() {
  in_ranks(2, [](Ranks& ranks) {
    const int other = 1 - ranks.rank;
    const float x[] = {1, 2, 3, 4}, y[] = {4, 3, 1, 8};
    float w = ranks.rank == 0 ? 0 : 4;
    for (int step = 0; step <= 100; ++step) {
      float gradient = 0, theirs = 0;
      ranks.transfer(other, {&w, 1}, other, {&theirs, 1});
      const bool shown = step <= 1 || step == 50 || step == 51 || step == 100;
      if (ranks.rank == 0 && shown) {
        std::printf("step %3d   w %6.3f and %6.3f   apart %.3f\n", step, w, theirs, theirs - w);
      }
      if (step == 50) w = (w + theirs) / 2;
      const int first = 2 * ranks.rank;
      for (const int i : {first, first + 1}) gradient += x[i] * (w * x[i] - y[i]);
      ranks.transfer(other, {&gradient, 1}, other, {&theirs, 1});
      w -= 0.02f * (gradient + theirs) / 2;
    }
  });
}
