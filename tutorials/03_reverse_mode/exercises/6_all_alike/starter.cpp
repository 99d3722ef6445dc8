// Exercise 03.6, 5 minutes: all weights alike.
//
// The moons' net, trained from weights that are all the same number. Will the loss come
// near 0.1? What will be special about the last layer's weights? Then change kSpread and kSeed.
#include <cstdio>

#include "tutorials/03_reverse_mode/moons.h"

using namespace moons;

constexpr double kSpread = 0;  // how far the first weights may lie from 0.5
constexpr unsigned kSeed = 1;

int main() {
  const std::vector<Point> points = make_points();
  const Net net(kSeed);
  for (const Value& w : net.w1) w->value = 0.5 + kSpread * w->value;
  for (const Value& w : net.w2) w->value = 0.5 + kSpread * w->value;
  for (int step = 0; step <= 400; ++step) {
    const Value loss = loss_of(net, points);
    if (step % 100 == 0) std::printf("step %3d  loss %.3f\n", step, loss->value);
    backward(loss);
    for (const Value& p : net.parameters()) p->value -= 0.1 * p->grad, p->grad = 0;
  }
  std::printf("last layer:");
  for (const Value& w : net.w2) std::printf(" %.3f", w->value);
  std::printf("\n");
}
