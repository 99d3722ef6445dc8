// Exercise 06.6, 5 minutes: two mistakes in a loop.
//
// w = 1 is to become 0, by gradient descent on w * w: the gradient is 2 w. Which w
// do six steps end with at the rates 0.1, 0.5, 1 and 1.1? And at 0.1 if nobody calls zero_grad(),
// in 24 steps, does it approach 0, swing, or grow?
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
