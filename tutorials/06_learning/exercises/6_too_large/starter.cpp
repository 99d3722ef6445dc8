// Exercise 06.6, 5 minutes: two mistakes in a loop.
//
// Gradient descent on w * w, from w = 1: the gradient is 2 w. At which w do six steps end, with the
// rates 0.1, 0.5, 1 and 1.1? And at 0.1 without zero_grad(), does w approach 0, swing, or grow in
// 24 steps?
#include <cstdio>

#include "tutorials/pocket/learn.h"

using namespace pocket;

void descend(const char* name, Scalar rate, bool clears) {
  Tensor w = scalar(1).set_requires_grad();
  Sgd optimiser({{"w", w}});
  std::printf("%-26s", name);
  for (int step = 0; step < (clears ? 6 : 24); ++step) {
    if (step > 0 && step % 6 == 0) std::printf("\n%26s", "");
    if (clears) optimiser.zero_grad();
    backward(w * w);
    optimiser.step(rate);
    std::printf(" %6.2f", double(w.item()));
  }
  std::printf("\n");
}

int main() {
  descend("rate 0.1", Scalar(0.1), true);
  descend("rate 0.5", Scalar(0.5), true);
  descend("rate 1", Scalar(1), true);
  descend("rate 1.1", Scalar(1.1), true);
  descend("rate 0.1, never cleared", Scalar(0.1), false);
}
