// Chapter 03: reverse mode, from nudged numbers to a scalar engine to the library's.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "autograd/graph.h"
#include "autograd/more/random.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "tutorials/common/graph_steps.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"

using namespace gradus;

namespace engine {

// [value]
struct Node;
using Value = std::shared_ptr<Node>;

// One of the numbers that a node was made of, and the node's slope by it.
struct Edge {
  Value input;
  double slope;
};

// A number that remembers where it came from.
struct Node {
  double value;
  std::vector<Edge> edges = {};  // none: a leaf
  double grad = 0;               // the result's slope by it, after backward()
};

Value number(double value, std::vector<Edge> edges = {}) {
  return std::make_shared<Node>(Node{value, std::move(edges)});
}
// [value]

// [ops]
Value operator+(const Value& a, const Value& b) {
  return number(a->value + b->value, {{a, 1}, {b, 1}});
}
Value operator-(const Value& a, const Value& b) {
  return number(a->value - b->value, {{a, 1}, {b, -1}});
}
Value operator*(const Value& a, const Value& b) {
  return number(a->value * b->value, {{a, b->value}, {b, a->value}});
}
Value tanh(const Value& x) {
  const double y = std::tanh(x->value);
  return number(y, {{x, 1 - y * y}});
}
// [ops]

// [order]
void visit(const Value& node, std::set<Node*>& seen, std::vector<Node*>& order) {
  if (!seen.insert(node.get()).second) return;  // met before, on another way
  for (const Edge& edge : node->edges) visit(edge.input, seen, order);
  order.push_back(node.get());
}

// All that `result` was made of, itself the last, each node after its inputs.
std::vector<Node*> order_of(const Value& result) {
  std::set<Node*> seen;
  std::vector<Node*> order;
  visit(result, seen, order);
  return order;
}
// [order]

// [backward]
// Adds the slope of `result` by each leaf to that leaf's grad.
void backward(const Value& result) {
  std::vector<Node*> order = order_of(result);
  for (Node* node : order) {
    if (!node->edges.empty()) node->grad = 0;  // in between: of this pass alone
  }
  result->grad += 1;  // the result moves as much as itself
  for (; !order.empty(); order.pop_back()) {
    const Node& node = *order.back();
    for (const auto& [x, slope] : node.edges) x->grad += node.grad * slope;
  }
}
// [backward]

}  // namespace engine

using engine::Edge;
using engine::number;
using engine::Value;

// Slopes by nudging, before there is any engine.
void nudge() {
  const Part part("nudge");
  // [nudge]
  const auto f = [](auto a, auto b, auto c, auto d) { return (a * b + c) * d; };
  const double h = 0.01, y = f(2, 3, -2, 5);
  const double with_a = f(2 + h, 3, -2, 5);
  const double with_b = f(2, 3 + h, -2, 5);
  const double with_c = f(2, 3, -2 + h, 5);
  const double with_d = f(2, 3, -2, 5 + h);
  // [nudge]
  std::printf("y = (a b + c) d = %.2f\n", y);
  char name = 'a';
  for (const double nudged : {with_a, with_b, with_c, with_d}) {
    std::printf("%c + 0.01: y = %.2f, slope %4.1f\n", name++, nudged, (nudged - y) / h);
  }
}

// The same slopes, by one walk back.
void one_walk() {
  const Part part("one_walk");
  // [one_walk]
  const Value a = number(2), b = number(3), c = number(-2), d = number(5);
  const Value p = a * b, s = p + c, y = s * d;
  backward(y);
  // [one_walk]
  const char* names = "abpcsdy";
  for (const engine::Node* node : order_of(y)) {
    std::printf("%c  value %4.1f  slope of y %4.1f\n", *names++, node->value, node->grad);
  }
}

/// backward(), with a fault: as if each node had one consumer.
void backward_assigning(const Value& result) {
  result->grad = 1;
  std::vector<engine::Node*> order = order_of(result);
  for (; !order.empty(); order.pop_back()) {
    const engine::Node& node = *order.back();
    for (const auto& [x, slope] : node.edges) x->grad = node.grad * slope;
  }
}

/// backward(), with another: each node passes on as soon as it is met.
void backward_at_once(const Value& result) {
  std::vector<engine::Node*> met = {result.get()};
  std::set<engine::Node*> seen = {result.get()};
  result->grad = 1;
  for (std::size_t i = 0; i < met.size(); ++i) {
    for (const Edge& edge : met[i]->edges) {
      edge.input->grad += met[i]->grad * edge.slope;
      if (seen.insert(edge.input.get()).second) met.push_back(edge.input.get());
    }
  }
}

// An expression in which a number is used twice.
struct Diamond {
  // [diamond]
  Value a = number(1), b = number(2);
  Value s = a + b;
  Value t = s + b;
  Value y = s * t;
  // [diamond]
};

void shared() {
  const Part part("shared");
  const auto f = [](double a, double b) { return (a + b) * (a + b + b); };
  const double h = 1e-6;
  std::printf("                       slope by a   by b\n");
  const auto row = [](const char* how, double a, double b) {
    std::printf("%-22s %10.0f %6.0f\n", how, a, b);
  };
  row("nudged", (f(1 + h, 2) - f(1, 2)) / h, (f(1, 2 + h) - f(1, 2)) / h);
  const auto walked = [&](const char* how, void (*walk)(const Value&)) {
    const Diamond graph;
    walk(graph.y);
    row(how, graph.a->grad, graph.b->grad);
  };
  walked("backward()", engine::backward);
  walked("with = for +=", backward_assigning);
  walked("passed on at once", backward_at_once);
}

std::string written(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", x);
  return text;
}

// The walk of backward() over the diamond, step by step, as a figure to click through.
void draw_steps() {
  const Diamond graph;
  const std::vector<engine::Node*> order = order_of(graph.y);
  const std::vector<std::string> words = {"a", "b", "s = a + b", "t = s + b", "y = s t"};
  std::map<const engine::Node*, std::size_t> place;
  std::vector<GraphBox> boxes;
  for (const engine::Node* node : order) {
    GraphBox box{.words = words[boxes.size()], .value = written(node->value)};
    for (const Edge& edge : node->edges) {
      box.inputs.push_back({.box = place.at(edge.input.get()), .slope = written(edge.slope)});
    }
    place[node] = boxes.size();
    boxes.push_back(box);
  }
  std::vector<std::string> grads(boxes.size());
  std::vector<GraphStep> steps = {
      {.words =
           "Forward: each box holds its value, each arrow its slope. No gradient is there yet.",
       .grads = grads}};
  grads.back() = "1";
  steps.push_back({.words = "y moves as much as y does: its gradient is 1.",
                   .grads = grads,
                   .box = static_cast<int>(boxes.size()) - 1});
  graph.y->grad = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    for (std::size_t k = 0; k < order[i]->edges.size(); ++k) {
      const Edge& edge = order[i]->edges[k];
      const std::size_t to = place.at(edge.input.get());
      const double share = order[i]->grad * edge.slope;
      const auto name = [&](std::size_t box) { return words[box].substr(0, 1); };
      const bool first = grads[to].empty();
      std::string said = name(i) + " hands " + name(to) +
                         " its gradient times the slope: " + written(order[i]->grad) + " x " +
                         written(edge.slope) + " = " + written(share) + ". ";
      edge.input->grad += share;
      grads[to] = written(edge.input->grad);
      said += first ? "It is the first to arrive."
                    : "Added to what was there: " + written(edge.input->grad - share) + " + " +
                          written(share) + " = " + grads[to] + ".";
      steps.push_back({.words = said,
                       .grads = grads,
                       .box = static_cast<int>(i),
                       .input = static_cast<int>(k)});
    }
  }
  steps.back().words += " Done: a and b have no inputs.";
  const Diamond again;
  backward(again.y);
  must_equal("the figure's gradients and backward()'s", tensor({graph.a->grad, graph.b->grad}),
             tensor({again.a->grad, again.b->grad}));
  write_figure(
      "graph.html",
      graph_steps("backward_steps",
                  "The graph of y = s t with s = a + b, t = s + b: arrows lead from a and "
                  "b to s, from s and b to t, from s and t to y.",
                  "The walk back, step by step: the buttons, or the arrow keys.", boxes, steps));
}

void twice() {
  const Part part("twice");
  // [twice]
  const auto [a, b, s, t, y] = Diamond();
  for (const char* pass : {"first", "second"}) {
    backward(y);
    std::printf("%-6s pass   ", pass);
    std::printf("a %2.0f, b %2.0f, s %2.0f\n", a->grad, b->grad, s->grad);
  }
  // [twice]
  // A third engine, which forgets nothing in between.
  const Diamond kept;
  for (int pass = 0; pass < 2; ++pass) {
    kept.y->grad = 1;
    std::vector<engine::Node*> order = order_of(kept.y);
    for (; !order.empty(); order.pop_back()) {
      const engine::Node& node = *order.back();
      for (const auto& [x, slope] : node.edges) x->grad += node.grad * slope;
    }
  }
  std::printf("the same with s and t keeping theirs\nsecond pass   a %2.0f, b %2.0f, s %2.0f\n",
              kept.a->grad, kept.b->grad, kept.s->grad);
}

/// A graph of n inputs, two layers of eight numbers, and m outputs.
struct Layers {
  std::vector<Value> inputs, outputs;

  Layers(int n, int m) {
    const Tensor w = normal({8 * (n + 8 + m)}, {.seed = 3}, 0, Scalar(0.3));
    const Scalar* next = w.data();
    const auto layer = [&](const std::vector<Value>& in, int count) {
      std::vector<Value> out;
      for (int i = 0; i < count; ++i) {
        Value sum = number(0);
        for (const Value& x : in) sum = sum + number(*next++) * x;
        out.push_back(tanh(sum));
      }
      return out;
    };
    for (int i = 0; i < n; ++i) inputs.push_back(number(std::sin(i)));
    outputs = layer(layer(layer(inputs, 8), 8), m);
  }
};

namespace engine {

// [forward]
// One pass of forward mode: the slope of every node by `input`.
using Slopes = std::map<Node*, double>;
Slopes forward(const std::vector<Node*>& order, Node* input, long& products) {
  Slopes slope;
  for (Node* node : order) {
    slope[node] = node == input ? 1 : 0;
    for (const Edge& edge : node->edges) {
      slope[node] += edge.slope * slope[edge.input.get()];
      ++products;
    }
  }
  return slope;
}
// [forward]

}  // namespace engine

/// The nodes of several results in one order.
std::vector<engine::Node*> order_of_all(const std::vector<Value>& results) {
  std::set<engine::Node*> seen;
  std::vector<engine::Node*> order;
  for (const Value& result : results) visit(result, seen, order);
  return order;
}

struct Counts {
  long forward = 0, reverse = 0;
  double difference = 0;  // the largest between the slopes of both
};

/// All slopes of all outputs by all inputs, from both ends.
Counts count(int n, int m) {
  const Layers net(n, m);
  Counts counts;
  std::vector<double> slopes;  // by forward mode, input by input
  const std::vector<engine::Node*> order = order_of_all(net.outputs);
  for (const Value& input : net.inputs) {
    const auto by_input = forward(order, input.get(), counts.forward);
    for (const Value& output : net.outputs) slopes.push_back(by_input.at(output.get()));
  }
  for (std::size_t j = 0; j < net.outputs.size(); ++j) {
    for (const Value& input : net.inputs) input->grad = 0;
    backward(net.outputs[j]);
    for (const engine::Node* node : order_of(net.outputs[j])) {
      counts.reverse += std::ssize(node->edges);
    }
    for (std::size_t i = 0; i < net.inputs.size(); ++i) {
      const double by_forward = slopes[i * net.outputs.size() + j];
      counts.difference = std::max(counts.difference, std::abs(by_forward - net.inputs[i]->grad));
    }
  }
  return counts;
}

void both_ends() {
  const Part part("both_ends");
  std::printf("inputs outputs   products, forward mode   reverse mode\n");
  double difference = 0;
  for (const auto& [n, m] : {std::pair{1, 100}, {10, 10}, {100, 1}}) {
    const Counts counts = count(n, m);
    std::printf("%6d %7d %24ld %14ld\n", n, m, counts.forward, counts.reverse);
    difference = std::max(difference, counts.difference);
  }
  std::printf("largest difference between their slopes: %s\n",
              difference < 1e-12 ? "below 1e-12" : "above 1e-12");
  Series forwards{"forward mode", {}, {}}, reverse{"reverse mode", {}, {}};
  for (const int n : {1, 2, 5, 10, 20, 50, 100}) {
    const Counts counts = count(n, 1);
    forwards.x.push_back(n), forwards.y.push_back(static_cast<double>(counts.forward));
    reverse.x.push_back(n), reverse.y.push_back(static_cast<double>(counts.reverse));
  }
  plot_lines("counts",
             {.title = "Products for all slopes of one result",
              .x = "inputs",
              .y = "products",
              .log_x = true,
              .log_y = true},
             {forwards, reverse});
}

/// Two half circles, each about the other's end: 60 points [60, 2], and their sides, +1 or -1.
struct Moons {
  static constexpr Index kCount = 60;
  Tensor points = Tensor({kCount, 2}), sides = Tensor({kCount, 1});

  Moons() {
    const Tensor noise = normal({kCount, 2}, {.seed = 11}, 0, Scalar(0.12));
    for (Index i = 0; i < kCount; ++i) {
      const bool upper = i % 2 == 0;
      const double angle = std::acos(-1.0) * static_cast<double>(i) / kCount;
      const double x = std::cos(angle), y = std::sin(angle);
      points.mutable_data()[2 * i] = static_cast<Scalar>(upper ? x : 1 - x) + noise.at({i, 0});
      points.mutable_data()[2 * i + 1] =
          static_cast<Scalar>(upper ? y : 0.5 - y) + noise.at({i, 1});
      sides.mutable_data()[i] = upper ? 1 : -1;
    }
  }
};

// [net]
// Two inputs, eight numbers in between, one output: 33 parameters.
struct Net {
  std::vector<Value> w1, b1, w2;  // 16, 8 and 8
  Value b2 = number(0);

  explicit Net(std::uint64_t seed) {
    const Tensor start = normal({24}, {.seed = seed});
    for (Index i = 0; i < 16; ++i) w1.push_back(number(start.at({i})));
    for (Index i = 0; i < 8; ++i) b1.push_back(number(0));
    for (Index i = 16; i < 24; ++i) w2.push_back(number(start.at({i})));
  }
  Value operator()(double x, double y) const {
    Value out = b2;
    for (std::size_t i = 0; i < 8; ++i) {
      const Value sum = number(x) * w1[i] + number(y) * w1[8 + i] + b1[i];
      out = out + tanh(sum) * w2[i];
    }
    return out;
  }
  std::vector<Value> parameters() const {
    std::vector<Value> all;
    for (const auto& some : {w1, b1, w2, {b2}}) all.insert(all.end(), some.begin(), some.end());
    return all;
  }
};
// [net]

Value loss_of(const Net& net, const Moons& moons) {
  // [loss]
  Value loss = number(0);
  for (Index i = 0; i < Moons::kCount; ++i) {
    const Value said = net(moons.points.at({i, 0}), moons.points.at({i, 1}));
    const Value error = said - number(moons.sides.at({i, 0}));
    loss = loss + error * error * number(1.0 / Moons::kCount);
  }
  // [loss]
  return loss;
}

void draw_moons(const Net& net, const Moons& moons) {
  Series upper{"upper", {}, {}}, lower{"lower", {}, {}}, border{"where the net says 0", {}, {}};
  for (Index i = 0; i < Moons::kCount; ++i) {
    Series& mine = moons.sides.at({i, 0}) > 0 ? upper : lower;
    mine.x.push_back(moons.points.at({i, 0})), mine.y.push_back(moons.points.at({i, 1}));
  }
  const double h = 0.02;
  for (double x = -1.4; x < 2.4; x += h) {
    for (double y = -0.9; y < 1.4; y += h) {
      const bool here = net(x, y)->value > 0;
      if (here != (net(x + h, y)->value > 0) || here != (net(x, y + h)->value > 0)) {
        border.x.push_back(x + h / 2), border.y.push_back(y + h / 2);
      }
    }
  }
  plot_points("moons", {.title = "Two moons, told apart", .x = "first input", .y = "second input"},
              {upper, lower, border});
}

void learn() {
  const Part part("learn");
  const Moons moons;
  // [learn]
  const Net net(1);
  for (int step = 0; step <= 400; ++step) {
    const Value loss = loss_of(net, moons);
    if (step % 100 == 0) std::printf("step %3d  loss %.3f\n", step, loss->value);
    backward(loss);
    for (const Value& p : net.parameters()) {
      p->value -= 0.2 * p->grad;  // downhill
      p->grad = 0;                // or the next pass would add to it
    }
  }
  // [learn]
  int right = 0;
  for (Index i = 0; i < Moons::kCount; ++i) {
    const double said = net(moons.points.at({i, 0}), moons.points.at({i, 1}))->value;
    right += said * moons.sides.at({i, 0}) > 0;
  }
  std::printf("on the right side: %d of %d points\n", right, static_cast<int>(Moons::kCount));
  draw_moons(net, moons);
}

// The library's engine on the diamond, on tensors without axes.
void library() {
  const Part part("library");
  // [library]
  Tensor a = scalar(1).set_requires_grad(), b = scalar(2).set_requires_grad();
  const Tensor s = a + b;
  const Tensor t = s + b;
  const Tensor y = s * t;
  backward(y);
  // [library]
  const Diamond graph;
  backward(graph.y);
  must_equal("gradient of a, by both engines", a.grad(),
             scalar(static_cast<Scalar>(graph.a->grad)));
  must_equal("gradient of b, by both engines", b.grad(),
             scalar(static_cast<Scalar>(graph.b->grad)));
  try {
    backward(y);
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    const std::size_t remedy = message.find(" (");
    std::printf("a second pass:\n  %s\n  %s\n", message.substr(0, remedy).c_str(),
                message.substr(remedy + 1).c_str());
  }
}

// [cube]
Tensor cube(const Tensor& x) {
  Tensor y(x.shape());
  for (Index i = 0; i < x.size(); ++i) {
    const Scalar v = x.data()[i];
    y.mutable_data()[i] = v * v * v;
  }
  const auto gradient = [x](const Tensor& dy) -> Gradients {  // dy to dx
    return {dy * 3 * x * x};
  };
  return record("cube", y, {x}, gradient);
}
// [cube]

void own_op() {
  const Part part("own_op");
  // [own_op]
  const Tensor x = tensor({1, 2, 3}).set_requires_grad();  // [3]
  const Tensor slope = grad({sum(cube(x))}, {x}, {.create_graph = true})[0];
  const Tensor slope_of_slope = grad({sum(slope)}, {x})[0];
  NoGrad no_grad;
  const Tensor y = cube(x);
  // [own_op]
  std::printf("x^3   ");
  for (const Scalar v : y) std::printf(" %3.0f", double{v});
  std::printf("\n3 x^2 ");
  for (const Scalar v : slope) std::printf(" %3.0f", double{v});
  std::printf("\n6 x   ");
  for (const Scalar v : slope_of_slope) std::printf(" %3.0f", double{v});
  std::printf("\nwhat x collected: %s\nthe last y has a graph: %s\n",
              x.grad().defined() ? "something" : "nothing", y.requires_grad() ? "yes" : "no");
}

int nodes_behind(const Tensor& y) {
  std::set<const gradus::Node*> seen;
  const std::function<void(const Ref<gradus::Node>&)> visit = [&](const Ref<gradus::Node>& node) {
    if (!node || !seen.insert(node.get()).second) return;
    for (const Ref<gradus::Node>& input : node->inputs) visit(input);
  };
  visit(y.node());
  return static_cast<int>(seen.size());
}

// The net's gradients, by both engines.
void on_tensors() {
  const Part part("on_tensors");
  const Moons moons;
  const Net net(1);
  const Value by_hand = loss_of(net, moons);
  backward(by_hand);
  const auto leaf = [](const Shape& shape, const std::vector<Value>& numbers) {
    Tensor x(shape);
    for (Index i = 0; i < x.size(); ++i) {
      x.mutable_data()[i] = static_cast<Scalar>(numbers[static_cast<std::size_t>(i)]->value);
    }
    return x.set_requires_grad();
  };
  const Tensor w1 = leaf({2, 8}, net.w1), b1 = leaf({8}, net.b1), w2 = leaf({8, 1}, net.w2),
               b2 = leaf({1}, {net.b2});
  // [on_tensors]
  const Tensor hidden = tanh(matmul(moons.points, w1) + b1);   // to [60, 8]
  const Tensor error = matmul(hidden, w2) + b2 - moons.sides;  // to [60, 1]
  const Tensor loss = mean(error * error);                     // []
  // [on_tensors]
  std::printf("nodes: %d numbers, or %d tensors\n", static_cast<int>(order_of(by_hand).size()),
              nodes_behind(loss));
  std::printf("tanh: %d numbers in and out, so %d slopes, of which %d are not 0\n",
              static_cast<int>(hidden.size()), static_cast<int>(hidden.size() * hidden.size()),
              static_cast<int>(hidden.size()));
  must_equal("loss, by both engines", loss, scalar(static_cast<Scalar>(by_hand->value)));
  backward(loss);
  const auto compare = [](const char* what, const Tensor& x, const std::vector<Value>& numbers) {
    Tensor grads(x.shape());
    for (Index i = 0; i < x.size(); ++i) {
      grads.mutable_data()[i] = static_cast<Scalar>(numbers[static_cast<std::size_t>(i)]->grad);
    }
    must_equal(what, x.grad(), grads);
  };
  compare("dw1 [2, 8]", w1, net.w1);
  compare("db1 [8]", b1, net.b1);
  compare("dw2 [8, 1]", w2, net.w2);
  compare("db2 [1]", b2, {net.b2});
}

int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  nudge();
  one_walk();
  shared();
  draw_steps();
  twice();
  both_ends();
  learn();
  library();
  own_op();
  on_tensors();
}
