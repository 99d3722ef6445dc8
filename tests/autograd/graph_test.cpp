#include "autograd/graph.h"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "tests/autograd/graph_cases.h"

using namespace gradus;
using Values = std::vector<Scalar>;

TEST_CASE("graph: leaves accumulate until zero_grad") {
  Tensor x = leaf({1, 2});
  backward(sum(x * x));
  CHECK(x.grad().values() == Values{2, 4});
  const Tensor held = x.grad();
  backward(sum(x * 3));
  CHECK(x.grad().values() == Values{5, 7});
  CHECK(held.values() == Values{2, 4});  // a handle to a gradient keeps it
  x.zero_grad();
  backward(sum(x));
  CHECK(x.grad().values() == Values{1, 1});
}

TEST_CASE("graph: a diamond, and an input used twice") {
  Tensor x = leaf(3);
  const Tensor a = x * 2, b = x + 1;
  backward(a * b * a);  // 4 x^2 (x + 1): 12 x^2 + 8 x
  CHECK(x.grad().item() == 132);
  x.zero_grad();
  const Tensor square = x * x;
  backward(square * square + square);  // 4 x^3 + 2 x
  CHECK(x.grad().item() == 114);
  Tensor m = leaf({{1, 2}, {3, 4}});
  backward(sum(matmul(m, m)));
  CHECK(m.grad().values() == Values{7, 11, 9, 13});
}

TEST_CASE("graph: an unused tensor gets no gradient") {
  Tensor x = leaf(3), unused = leaf(4);
  backward(x * 2);
  CHECK(!unused.grad().defined());
  CHECK(grad({x * 2}, {unused})[0].item() == 0);
}

TEST_CASE("graph: a second pass is an error unless the first kept the graph") {
  Tensor x = leaf(3);
  const Tensor square = x * x;
  const Tensor y = square * 2;
  backward(y, Tensor(), true);
  backward(y);
  CHECK(x.grad().item() == 24);
  expect_spent(y);
  expect_spent(square * 5);  // and a pass through a part of it
  CHECK(x.grad().item() == 24);
  backward(x * x);
  CHECK(x.grad().item() == 30);
}

TEST_CASE("graph: an error for a freed graph names the op that the user called") {
  const Tensor x = leaf({{1, 2}, {3, 4}}), batches = ones({3, 1, 2});
  const std::pair<const char*, Tensor> results[] = {
      {"linear of shape [3, 1, 2]", linear(batches, x)},
      {"matmul of shape [3, 1, 2]", matmul(batches, x)},
      {"sum of shape []", sum(x)},
      {"sum of shape [2]", sum(x, 0)},
      {"mean of shape []", mean(x)},
      {"max of shape [2]", max(x, 1)}};
  for (const auto& [name, y] : results) {
    backward(y, ones(y.shape()));
    CHECK_THROWS_WITH_AS(backward(y, ones(y.shape())), doctest::Contains(name),
                         std::invalid_argument);
  }
}

TEST_CASE("graph: intermediate gradients do not outlive their pass") {
  // micrograd #102: if gradients were kept, the second pass would count them again and add more
  // than 12.
  Tensor x = leaf(3);
  const Tensor y = (x * 2) * (x * 2) / 2;
  for (int pass = 1; pass <= 3; ++pass) {
    backward(y, Tensor(), true);
    CHECK(x.grad().item() == 12 * pass);
  }
}

TEST_CASE("graph: outputs of any shape, with a gradient") {
  Tensor x = leaf({1, 2, 3});
  const Tensor y = x * x;
  CHECK_THROWS_WITH_AS(backward(y),
                       "backward: needs a scalar, got [3] (call sum() first, or pass a "
                       "gradient)",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(backward(y, ones({2})), doctest::Contains("output's shape [3], got [2]"),
                       std::invalid_argument);
  backward(y, tensor({1, 10, 100}));
  CHECK(x.grad().values() == Values{2, 40, 600});
  backward(x, ones({3}));  // a leaf is its own graph
  CHECK(x.grad().values() == Values{3, 41, 601});
  CHECK_THROWS_WITH_AS(backward(scalar(1)), doctest::Contains("has no graph"),
                       std::invalid_argument);
}

TEST_CASE("graph: nothing is recorded under NoGrad or behind detach") {
  Tensor x = leaf(3);
  {
    const NoGrad no_grad;
    CHECK(!is_recording());
    CHECK(!(x * x).requires_grad());
    {
      const RecordingScope recording(true);
      CHECK((x * x).requires_grad());
    }
    CHECK(!is_recording());
  }
  CHECK(is_recording());
  try {
    const NoGrad no_grad;
    throw 1;
  } catch (int) {
    CHECK(is_recording());
  }
  backward(x * x.detach());
  CHECK(x.grad().item() == 3);
  CHECK(!(scalar(1) * scalar(2)).requires_grad());
}

TEST_CASE("graph: a leaf's gradient is its own") {
  Tensor a = leaf({1, 2}), b = leaf({3, 4});
  const Tensor seed = tensor({1, 10});
  backward(a + b, seed);
  a.grad().mutable_data()[0] = 99;
  CHECK(b.grad().values() == Values{1, 10});
  CHECK(seed.values() == Values{1, 10});
  a.zero_grad();
  backward(a, seed);
  a.grad().mutable_data()[0] = 99;
  CHECK(seed.values() == Values{1, 10});
  Tensor c = leaf({{1, 2}});
  backward(reshape(c, {2}), seed);
  c.grad().mutable_data()[0] = 99;
  CHECK(seed.values() == Values{1, 10});
  backward(a + b, seed);
  backward(a + b, seed);  // adds in place
  CHECK(seed.values() == Values{1, 10});
  CHECK(b.grad().values() == Values{3, 30});
}

TEST_CASE("graph: a million nodes are built, differentiated and freed") {
  constexpr int kDepth = 1'000'000;
  Tensor x = leaf(1);
  {
    Tensor y = x;
    for (int i = 0; i < kDepth; ++i) y = y + 1;
    CHECK(y.item() == kDepth + 1);
  }  // freed without a pass
  Tensor y = x;
  for (int i = 0; i < kDepth; ++i) y = y * 1;
  backward(y);
  CHECK(x.grad().item() == 1);
  Tensor kept = x;
  for (int i = 0; i < kDepth; ++i) kept = kept * 1;
  backward(kept, Tensor(), true);
  CHECK(x.grad().item() == 2);
}

TEST_CASE("graph: exponentially many paths are walked once") {
  Tensor x = leaf(1);
  Tensor y = x;
  for (int i = 0; i < 60; ++i) y = (y + y) * 0.5;
  backward(y);
  CHECK(x.grad().item() == 1);
}

TEST_CASE("graph: a pass frees saved tensors as it proceeds") {
  const auto saved = std::make_shared<int>();
  Tensor x = leaf(1);
  Tensor y = identity(x, [saved] {});
  const Tensor z = y * 2;
  CHECK(saved.use_count() == 2);
  backward(z, Tensor(), true);
  CHECK(saved.use_count() == 2);
  backward(z);
  CHECK(saved.use_count() == 1);
  CHECK(y.node()->inputs.capacity() == 0);
  y = identity(x, [saved] {});
  CHECK(saved.use_count() == 2);
  y = Tensor();
  CHECK(saved.use_count() == 1);
}

TEST_CASE("graph: an exception in a backward leaves no state behind") {
  Tensor x = leaf(3);
  bool fails = true;
  const Tensor h = x * x;
  const auto maybe_throw = [&] {
    if (fails) throw std::domain_error("no");
  };
  const Tensor y = identity(h, maybe_throw) + h;
  CHECK_THROWS_AS(backward(y, Tensor(), true), std::domain_error);
  CHECK(is_recording());
  CHECK(!h.node()->grad.defined());
  CHECK(!x.grad().defined());
  CHECK_THROWS_AS(grad({y}, {x, h}, {.keep_graph = true}), std::domain_error);
  CHECK(!h.node()->grad.defined());
  CHECK(!x.grad().defined());
  fails = false;
  CHECK(grad({y}, {h}, {.keep_graph = true})[0].item() == 2);
  backward(y);
  CHECK(x.grad().item() == 12);
}

TEST_CASE("graph: more inputs than there are bits for") {
  std::vector<Tensor> inputs(70, leaf({1}));
  inputs[65] = leaf({2});
  const Tensor all = concat(inputs, 0);
  CHECK(grad({sum(all * all)}, {inputs[65]}, {.keep_graph = true})[0].values() == Values{4});
  CHECK(grad({sum(all * all)}, {inputs[0]})[0].values() == Values{138});
}

TEST_CASE("graph: a backward that is wrong about shapes or numbers is named") {
  Tensor x = leaf({1, 2});
  const Tensor wrong_shape =
      record("bad", scalar(1), {x}, [](const Tensor& dy) -> Gradients { return {dy}; });
  CHECK_THROWS_WITH_AS(backward(wrong_shape),
                       "backward: bad gave its input leaf of shape [2] a "
                       "gradient of shape []",
                       std::invalid_argument);
  const Tensor none =
      record("bad", scalar(1), {x}, [](const Tensor&) -> Gradients { return {Tensor()}; });
  CHECK_THROWS_WITH_AS(backward(none),
                       "backward: bad gave its input leaf of shape [2] a gradient of shape none",
                       std::invalid_argument);
  CHECK(!x.grad().defined());
  const Tensor too_many = record("bad", scalar(1), {x}, [](const Tensor& dy) -> Gradients {
    return {dy, dy};
  });
  CHECK_THROWS_WITH_AS(backward(too_many), "backward: bad has 1 inputs but returned 2 gradients",
                       std::invalid_argument);
}

TEST_CASE("graph: a recorded tensor must be new") {
  Tensor x = leaf({1, 2});
  const auto same = [](const Tensor& dy) -> Gradients { return {dy}; };
  CHECK_THROWS_WITH_AS(record("reverse", x, {x}, same),
                       "reverse: y must be new, not an input (clone() it)", std::invalid_argument);
  CHECK_THROWS_AS(record("view", reshape(x, {2}), {x}, same), std::invalid_argument);
  backward(sum(x));  // x is still the same leaf
  CHECK(x.grad().values() == Values{1, 1});
}

TEST_CASE("graph: undefined tensors are refused") {
  CHECK_THROWS_AS(backward(Tensor()), std::invalid_argument);
  CHECK_THROWS_AS(grad({Tensor()}, {leaf(1)}), std::invalid_argument);
  CHECK_THROWS_AS(grad({leaf(1) * 2}, {Tensor()}), std::invalid_argument);
}

TEST_CASE("graph: a leaf that is handed to another thread collects its gradient there too") {
  Tensor x = tensor({1, 2}).set_requires_grad();
  backward(sum(x * x));
  std::thread([&] { backward(sum(x * x)); }).join();
  CHECK(x.grad().values() == std::vector<Scalar>{4, 8});
}

TEST_CASE("graph: an input that wants no gradient is no result either") {
  const Tensor x = tensor({1, 2}), w = leaf({3, 4});
  const auto nothing = [](const Tensor& dy) -> Gradients { return {Tensor(), dy}; };
  CHECK_THROWS_WITH_AS(record("mine", x, {x, w}, nothing),
                       "mine: y must be new, not an input (clone() it)", std::invalid_argument);
  CHECK(!x.requires_grad());
}
