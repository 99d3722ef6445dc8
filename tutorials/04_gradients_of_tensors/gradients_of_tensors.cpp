// Chapter 04: gradients of tensors, on an engine whose edges are functions.
#include <cstdio>
#include <iostream>

#include "pocket/ops.h"
#include "tutorials/04_gradients_of_tensors/broken.h"
#include "tutorials/04_gradients_of_tensors/in_use.h"
#include "tutorials/04_gradients_of_tensors/net.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/time.h"

using namespace course;
using namespace pocket;

// [nodes]
template <class MakeLoss>
Index nodes_behind(MakeLoss make_loss) {
  const Index before = nodes_made;
  make_loss();
  return nodes_made - before;
}

void nodes() {
  const moons::Net net(1);
  const auto loss = loss_of(net, moons::make_points());  // keeps its nodes
  std::cout << "a node for each number, chapter 03: " << engine::order_of(loss).size()
            << "\na node for each tensor:             "
            << nodes_behind([&] { loss_of(Net(net), Moons()); }) << "\n";
}
// [nodes]

// [squared]
Tensor squared(const Tensor& x) {
  const Tensor y = elementwise("squared", x, x, std::multiplies<Scalar>());
  const auto closure = [x](const Tensor& dy) -> Gradients { return {dy * x * 2}; };
  return record("squared", y, {x}, closure);
}
// [squared]

// [one_op]
void one_op() {
  const Tensor x = tensor({1, 2, 3}).set_requires_grad();
  const Tensor y = squared(x);
  backward(y, tensor({5, 1, 2}));  // the gradient of y
  std::cout << "y   " << y << "\ndx  " << x.grad() << "\n";
}
// [one_op]

// [two_users]
void two_users() {
  const Tensor x = scalar(3).set_requires_grad();
  const Tensor s = squared(x), t = squared(s);
  backward(s + t);
  std::cout << "dx = " << x.grad() << "\n";
}
// [two_users]

// [kept]
void kept() {
  const Net net{moons::Net(1)};
  const Moons many(100);
  const auto before = in_use;
  const Tensor loss = loss_of(net, many);
  const auto graph = in_use - before;
  backward(loss);
  std::printf("kept for the loss of %d points: %.0f kB, after the pass %.0f kB\n",
              static_cast<int>(many.sides.size()), static_cast<double>(graph) / 1000,
              static_cast<double>(in_use - before) / 1000);
}
// [kept]

// [rules]
void rules() {
  const Tensor x = scalar(3).set_requires_grad();
  backward(squared(x));
  backward(squared(x));
  std::printf("two graphs, a pass each: dx = %g\n", x.grad().item());
  const Tensor y = squared(x);
  try {
    backward(y);
    backward(y);
  } catch (const std::invalid_argument& error) {
    std::printf("one graph, two passes: %s\n", error.what());
  }
  const NoGrad no_grad;
  std::printf("under NoGrad: %s\n", squared(x).requires_grad() ? "a graph" : "no graph");
}
// [rules]

// [there_and_back]
void there_and_back() {
  const Tensor row = tensor({7, 8, 9}), table = tensor({{1, 2, 3}, {4, 5, 6}});
  std::cout << "read:\n"
            << strided("repeat", row, {2, 3}, {0, 1}, 0, false) << "\n"
            << "added:\n"
            << strided("add_up", table, {3}, {0, 1}, 0, true) << "\n";
}
// [there_and_back]

// [broadcast]
void broadcast() {
  const Tensor a = ones({2, 3}), b = ones({3}).set_requires_grad();
  const Tensor dy = tensor({{1, 2, 3}, {4, 5, 6}});
  backward(a + b, dy);
  std::cout << "db " << b.grad() << "\n";
  const auto careless = [](const Tensor& dy) -> Gradients { return {dy, dy}; };  // no sum_to
  try {
    backward(record("add", a, {a, b}, careless), dy);
  } catch (const std::invalid_argument& error) {
    std::cout << error.what() << "\n";
  }
}
// [broadcast]

// [product]
void print(const char* name, const Tensor& x) {
  std::printf("%-14s", name);
  for (const Scalar v : x) std::printf(" %3g", v);
  std::printf("\n");
}

// The loss is sum(matmul(a, b) * dy): the gradient of Y is dy.
void nudge(const char* name, Tensor x, const Tensor& a, const Tensor& b, const Tensor& dy) {
  const auto loss = [&] { return sum(matmul(a, b) * dy).item(); };
  Tensor nudged(x.shape());
  for (Index i = 0; i < x.size(); ++i) {
    const Scalar before = loss();
    x.mutable_data()[i] += 1;
    nudged.mutable_data()[i] = loss() - before;
    x.mutable_data()[i] -= 1;
  }
  print(name, x.grad());
  print("nudged", nudged);
}

void nudged_product() {
  const Tensor a = tensor({{1, 2, 3}, {4, 5, 6}}).set_requires_grad(),
               b = tensor({{1, 2}, {3, 4}, {5, 6}}).set_requires_grad();
  const Tensor dy = tensor({{1, 2}, {3, 5}});
  backward(matmul(a, b), dy);
  nudge("da", a, a, b, dy);
  nudge("db", b, a, b, dy);
  const Tensor c = a.detach().set_requires_grad();  // A once more, with a mistake in its gradient
  const auto careless = [=](const Tensor& dy) -> Gradients {
    return {product(dy, b, {true, true}), product(c, dy, {true, false})};
  };
  backward(record("matmul", product(c, b), {c, b}, careless), dy);
  print("da, careless", c.grad());
}

void batch() {
  Tensor a({2, 5, 3}), dy({2, 5, 2});
  for (Index i = 0; i < a.size(); ++i) a.mutable_data()[i] = static_cast<Scalar>(i * 7 % 5);
  for (Index i = 0; i < dy.size(); ++i) dy.mutable_data()[i] = static_cast<Scalar>(i % 3);
  const Tensor b = zeros({3, 2}).set_requires_grad();
  backward(matmul(a, b), dy);
  nudge("db, batch", b, a, b, dy);
}
// [product]

// [step]
void step(Net& net, const Moons& moons) {
  backward(loss_of(net, moons));
  for (Tensor* p : {&net.w1, &net.b1, &net.w2, &net.b2}) {
    *p = (p->detach() - p->grad() * 0.1F).set_requires_grad();  // a new leaf, without a gradient
  }
}
// [step]

// [learn]
// A step of chapter 03, on its engine.
void step(const moons::Net& net, const std::vector<moons::Point>& points) {
  backward(loss_of(net, points));
  for (const moons::Value& p : net.parameters()) {
    p->value -= 0.1 * p->grad;
    p->grad = 0;
  }
}

void learn() {
  const Moons moons;
  const auto points = moons::make_points();
  for (const unsigned seed : {1, 2, 3, 4, 5}) {
    Net net{moons::Net(seed)};
    const moons::Net numbers(seed);
    for (int i = 0; i < 400; ++i) step(net, moons), step(numbers, points);
    std::printf("seed %u: loss %.3f, on chapter 03's engine %.3f\n", seed,
                loss_of(net, moons).item(), loss_of(numbers, points)->value);
  }
}
// [learn]

// [time]
template <class Loss>
void row(const char* name, Index nodes, Index points, int times, Loss loss) {
  const double us = shortest_seconds(times, [&] { backward(loss()); }) * 1e6;
  std::printf("%-32s%6d%8d%8.0f%10.2f\n", name, static_cast<int>(nodes), static_cast<int>(points),
              us, us / static_cast<double>(points));
}

void time() {
  const moons::Net net(1);
  const auto points = moons::make_points();
  const Numbers numbers(net);
  const Net tensors(net);
  const Moons moons, many(100);
  Moons one;
  one.points = tensor({{0.5, 1}}), one.sides = tensor({{1}});
  const auto graph = engine::order_of(loss_of(net, points));
  const Index each = nodes_behind([&] { loss_of(Numbers(net), moons); });
  std::printf("%-32s%6s%8s%8s%10s\n", "loss and pass", "nodes", "points", "us", "us/point");
  row("chapter 03's engine", std::ssize(graph), 60, 100, [&] { return loss_of(net, points); });
  row("yours, a tensor [] per number", each, 60, 100, [&] { return loss_of(numbers, moons); });
  for (const Moons& some : {one, moons, many}) {
    const Index few = nodes_behind([&] { loss_of(Net(net), some); });
    row("yours, in tensors", few, some.sides.size(), some.sides.size() > 60 ? 20 : 200,
        [&] { return loss_of(tensors, some); });
  }
}
// [time]

// [sizes]
template <class Op>
void count(const char* name, Tensor x, Op op) {  // x is all 0, and so is op(x)
  int slopes = 0, not_zero = 0;
  for (Index j = 0; j < x.size(); ++j) {
    x.mutable_data()[j] = 1;
    for (const Scalar moved : op(x)) {
      ++slopes;
      if (moved != 0) ++not_zero;
    }
    x.mutable_data()[j] = 0;
  }
  std::printf("%-13s%7d slopes, %d of them not 0\n", name, slopes, not_zero);
}

void sizes() {
  count("tanh:", zeros({60, 8}), [](const Tensor& x) { return tanh(x); });
  const Moons moons;
  count("matmul by w1:", zeros({2, 8}), [&](const Tensor& w1) { return matmul(moons.points, w1); });
}
// [sizes]

// [in_place]
void in_place() {
  for (const bool in_place : {false, true}) {
    const Tensor a = scalar(1).set_requires_grad(), b = scalar(1).set_requires_grad();
    pass((a + b) + a, {.in_place = in_place});
    std::cout << (in_place ? "added in place: " : "a new sum:      ") << "da = " << a.grad()
              << ", db = " << b.grad() << "\n";
  }
}
// [in_place]

// [exchanged]
Tensor s_and_its_square(const Tensor& x, bool exchange) {
  const Tensor s = squared(x), t = squared(s);
  if (exchange) std::swap(s.node()->number, t.node()->number);  // s seems newer than its user t
  return s + t;
}
// [exchanged]

// [order]
void order() {
  const auto try_out = [](const char* name, bool exchange, Rules rules) {
    const Tensor x = scalar(3).set_requires_grad();
    const int closures = pass(s_and_its_square(x, exchange), rules);
    std::printf("%-34s dx = %g, %d closures\n", name, x.grad().item(), closures);
  };
  try_out("in order:", false, {});
  try {
    backward(s_and_its_square(scalar(3).set_requires_grad(), true));
  } catch (const std::invalid_argument& error) {
    std::printf("exchanged: %s\n", error.what());
  }
  try_out("exchanged, late gradients dropped:", true, {.one_turn = true});
  try_out("exchanged, nothing freed:", true, {});
}
// [order]

int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  Part("nodes"), nodes();
  Part("one_op"), one_op();
  Part("two_users"), two_users();
  Part("rules"), kept(), rules();
  Part("there_and_back"), there_and_back();
  Part("broadcast"), broadcast();
  Part("product"), nudged_product(), batch();
  Part("learn"), learn();
  Part("time"), time();
  Part("sizes"), sizes();
  Part("in_place"), in_place();
  Part("order"), order();
}
