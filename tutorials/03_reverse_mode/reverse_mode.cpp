// Chapter 03: reverse mode, from nudged numbers to an engine that trains a network.
#include <array>
#include <cstdio>
#include <map>

#include "tutorials/03_reverse_mode/broken.h"
#include "tutorials/03_reverse_mode/figures.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"

using namespace course;
using namespace engine;
using namespace moons;

// [nudge]
void nudge() {
  const std::array<double, 4> abcd = {2, 3, -2, 5};
  const auto f = [](const auto& x) { return (x[0] * x[1] + x[2]) * x[3]; };  // (a b + c) d
  std::printf("y = %.2f\n", f(abcd));
  for (std::size_t i = 0; i < 4; ++i) {
    std::array<double, 4> nudged = abcd;
    nudged[i] += 0.01;
    std::printf("%c + 0.01: y = %.2f, slope %4.1f\n", "abcd"[i], f(nudged),
                (f(nudged) - f(abcd)) / 0.01);
  }
}
// [nudge]

// [one_pass]
void one_pass() {
  const Value a = number(2), b = number(3), c = number(-2), d = number(5);
  const Value p = a * b, s = p + c, y = s * d;
  backward(y);
  std::printf("y = %.0f\nleaves: a %.0f, b %.0f, c %.0f, d %.0f\nbetween: p %.0f, s %.0f\n",
              y->value, a->grad, b->grad, c->grad, d->grad, p->grad, s->grad);
}
// [one_pass]

// [diamond]
struct Diamond {
  Value a = number(1), b = number(2);
  Value s = a + b, t = s + b, y = s * t;
};
// [diamond]

// [shared]
void shared() {
  std::printf("                    by a   by b\n");
  const auto try_out = [](const char* name, const auto& pass) {
    const Diamond graph;
    pass(graph.y);
    std::printf("%-17s %6.0f %6.0f\n", name, graph.a->grad, graph.b->grad);
  };
  try_out("backward()", backward);
  try_out("= in place of +=", backward_assigning);
  try_out("without the order", backward_at_once);
}
// [shared]

// [twice]
void twice() {
  const Diamond graph;
  for (const char* pass : {"first", "second"}) {
    backward(graph.y);
    std::printf("%-6s pass: a %2.0f, b %2.0f, s %.0f\n", pass, graph.a->grad, graph.b->grad,
                graph.s->grad);
  }
}
// [twice]

// [learn]
// 400 steps downhill, with the loss printed at every hundredth.
void train(const Net& net, const std::vector<Point>& points) {
  for (int step = 0; step < 400; ++step) {
    const Value loss = loss_of(net, points);
    if (step % 100 == 0) std::printf(" %6.3f", loss->value);
    backward(loss);
    for (const Value& p : net.parameters()) {
      p->value -= 0.1 * p->grad;  // downhill
      p->grad = 0;                // or the next pass would add to it
    }
  }
}
// [learn]

// [forgotten]
// The same without `p->grad = 0`. Returns the last loss.
double train_forgetfully(const Net& net, const std::vector<Point>& points) {
  for (int step = 0; step < 400; ++step) {
    backward(loss_of(net, points));
    for (const Value& p : net.parameters()) p->value -= 0.1 * p->grad;
  }
  return loss_of(net, points)->value;
}

void forgotten() {
  const std::vector<Point> points = make_points();
  std::printf("loss after 400 steps, seeds 1 to 5:");
  for (const unsigned seed : {1, 2, 3, 4, 5}) {
    std::printf(" %.3f", train_forgetfully(Net(seed), points));
  }
  std::printf("\n");
}
// [forgotten]

// [seeds]
void learn() {
  const std::vector<Point> points = make_points();
  double mean = 0;  // of the last losses
  std::printf("loss at step     0    100    200    300    400   missed\n");
  for (const unsigned seed : {1, 2, 3, 4, 5}) {
    const Net net(seed);
    std::printf("seed %u     ", seed);
    train(net, points);
    const double last = loss_of(net, points)->value;
    std::printf(" %6.3f  ", last);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto [x, y, side] = points[i];
      if (net(x, y)->value * side <= 0) std::printf(" point %zu (%.2f, %.2f)", i, x, y);
    }
    std::printf("\n");
    mean += last / 5;
    if (seed == 1) draw_moons(net, points);
  }
  std::printf("mean after 400 steps: %.3f\n", mean);
}
// [seeds]

// [forward]
// One pass of forward mode: the slope of every node by `start`.
std::map<const Node*, double> forward(const std::vector<Node*>& order, const Value& start) {
  std::map<const Node*, double> slopes;
  for (const Node* node : order) {
    slopes[node] = node == start.get() ? 1 : 0;
    for (const auto& [input, slope] : node->edges) slopes[node] += slope * slopes[input.get()];
  }
  return slopes;
}
// [forward]

// [both_ends]
void both_ends() {
  const Net net(1);
  const Value loss = loss_of(net, make_points());
  const std::vector<Node*> order = order_of(loss);
  long edges = 0;
  for (const Node* node : order) edges += std::ssize(node->edges);
  backward(loss);
  double difference = 0;  // the largest between the two modes
  for (const Value& p : net.parameters()) {
    difference = std::max(difference, std::abs(forward(order, p).at(loss.get()) - p->grad));
  }
  std::printf("%zu nodes\nreverse mode:  1 pass, %6ld products\n", order.size(), edges);
  std::printf("forward mode: 33 passes, %ld products\n", std::ssize(net.parameters()) * edges);
  std::printf("their slopes differ by %s\n", difference < 1e-12 ? "less than 1e-12" : "MORE");
}
// [both_ends]

// [main]
int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  Part("nudge"), nudge();
  Part("one_pass"), one_pass();
  Part("shared"), shared();
  const Diamond graph;
  draw_steps({graph.a, graph.b, graph.s, graph.t, graph.y});
  Part("twice"), twice();
  Part("learn"), learn();
  Part("forgotten"), forgotten();
  Part("both_ends"), both_ends();
}
// [main]
