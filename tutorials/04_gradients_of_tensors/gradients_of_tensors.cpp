// Chapter 04: gradients of tensors, on an engine whose edges are functions.
#include <cstdio>
#include <iostream>

#include "pocket/ops.h"
#include "tutorials/04_gradients_of_tensors/net.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/time.h"

using namespace course;
using namespace pocket;

// [sizes]
void sizes() {
  Tensor x({60, 8});  // all 0, and so is tanh(x)
  int slopes = 0, not_zero = 0;
  for (Index j = 0; j < x.size(); ++j) {
    x.mutable_data()[j] = 1;
    for (const Scalar moved : tanh(x)) {
      ++slopes;
      if (moved != 0) ++not_zero;
    }
    x.mutable_data()[j] = 0;
  }
  std::printf("tanh: %d slopes, %d of them not 0\n", slopes, not_zero);
}
// [sizes]

// [nodes]
void nodes() {
  const Index before = nodes_made;
  loss_of(Net(moons::Net(1)), Moons());
  std::printf("nodes behind the loss: %d\n", static_cast<int>(nodes_made - before));
}
// [nodes]

// [rules]
void rules() {
  const Tensor x = scalar(3).set_requires_grad();
  backward(x * x);
  backward(x * x);
  std::printf("two graphs, a pass each: dx = %g\n", x.grad().item());
  const Tensor y = x * x;
  try {
    backward(y);
    backward(y);
  } catch (const std::invalid_argument& error) {
    std::printf("one graph, two passes: %s\n", error.what());
  }
  const NoGrad no_grad;
  std::printf("under NoGrad: %s\n", (x * x).requires_grad() ? "a graph" : "no graph");
}
// [rules]

// [broken]
void broken() {
  const Tensor a = ones({2}).set_requires_grad(), b = ones({2}).set_requires_grad();
  backward(a + b, tensor({3, 4}));
  a.grad().mutable_data()[0] = 100;
  std::cout << "written into the gradient of a; that of b: " << b.grad() << "\n";

  const Tensor right = scalar(3).set_requires_grad(), square = right * right;
  backward(square + square * square);
  std::cout << "in the right order: " << right.grad() << "\n";

  const Tensor x = scalar(3).set_requires_grad(), s = x * x, t = s * s, y = s + t;
  std::swap(s.node()->number, t.node()->number);  // s seems newer than t, which uses it
  try {
    backward(y);
  } catch (const std::invalid_argument& error) {
    std::cout << "in the wrong order: " << error.what() << "\n";
  }
}
// [broken]

// [broadcast]
void broadcast() {
  const Tensor x = ones({2, 3}), b = ones({3}).set_requires_grad();
  const Tensor dy = tensor({{1, 2, 3}, {4, 5, 6}});
  backward(x + b, dy);
  std::cout << "db " << b.grad() << "\n";
  const auto careless = [](const Tensor& dy) -> Gradients { return {dy, dy}; };  // no sum_to
  try {
    backward(record("add", x, {x, b}, careless), dy);
  } catch (const std::invalid_argument& error) {
    std::cout << error.what() << "\n";
  }
}
// [broadcast]

// [product]
void nudged_product() {
  const Tensor a = tensor({{1, 2, 3}, {4, 5, 6}}).set_requires_grad(),
               b = tensor({{1, 2}, {3, 4}, {5, 6}});
  backward(sum(matmul(a, b)));
  std::cout << "da\n" << a.grad() << "\nnudged";
  for (Index i = 0; i < a.size(); ++i) {
    Tensor nudged = tensor(a.shape(), {a.begin(), a.end()});
    nudged.mutable_data()[i] += 1;
    std::cout << " " << sum(matmul(nudged, b) - matmul(a, b)).item();
  }
  std::cout << "\n";
}
// [product]

// [learn]
void step(Net& net, const Moons& moons) {
  backward(loss_of(net, moons));
  for (Tensor* p : {&net.w1, &net.b1, &net.w2, &net.b2}) {
    *p = (p->detach() - p->grad() * 0.1F).set_requires_grad();  // a new leaf, without a gradient
  }
}

void learn() {
  const Moons moons;
  for (const unsigned seed : {1, 2, 3, 4, 5}) {
    Net net{moons::Net(seed)};
    for (int i = 0; i < 400; ++i) step(net, moons);
    std::printf("seed %u: loss %.3f\n", seed, loss_of(net, moons).item());
  }
}
// [learn]

// [time]
void time() {
  const moons::Net numbers(1);
  const auto points = moons::make_points();
  Net net(numbers);
  const double slow = shortest_seconds(20, [&] { backward(loss_of(numbers, points)); });
  const double fast =
      shortest_seconds(200, [&, moons = Moons()] { backward(loss_of(net, moons)); });
  std::printf("loss and pass: %.0f us on numbers, %.0f us on tensors, %.0f times less\n",
              slow * 1e6, fast * 1e6, slow / fast);
}
// [time]

int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  Part("sizes"), sizes();
  Part("nodes"), nodes();
  Part("rules"), rules();
  Part("broken"), broken();
  Part("broadcast"), broadcast();
  Part("product"), nudged_product();
  Part("learn"), learn();
  Part("time"), time();
}
