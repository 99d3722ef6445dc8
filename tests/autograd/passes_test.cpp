// Tests grad(), which goes through a part of the graph, and passes inside passes.

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

#include "autograd/graph.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "tests/autograd/graph_cases.h"

using namespace gradus;
using Values = std::vector<Scalar>;

TEST_CASE("passes: grad() collects nothing in leaves") {
  Tensor x = leaf(3), w = leaf(5);
  x.set_grad(scalar(7));
  const Tensor h = x * x;
  const Tensor y = h * w;
  const std::vector<Tensor> g = grad({y}, {x, h, w, x}, {.keep_graph = true});
  CHECK(g[0].item() == 30);
  CHECK(g[1].item() == 5);
  CHECK(g[2].item() == 9);
  CHECK(g[3].item() == 30);
  CHECK(x.grad().item() == 7);
  CHECK(!w.grad().defined());
  CHECK(grad({y}, {y}, {.keep_graph = true})[0].item() == 1);
  CHECK(grad({y, h}, {x}, {.keep_graph = true, .gradients = {scalar(1), scalar(2)}})[0].item() ==
        42);
  backward(y);
  CHECK(x.grad().item() == 37);
  CHECK_THROWS_AS(grad({y}, {x}), std::invalid_argument);  // freed
  CHECK(x.grad().item() == 37);
  CHECK_THROWS_WITH_AS(grad({x * 2}, {scalar(1)}), doctest::Contains("requires no gradient"),
                       std::invalid_argument);
  CHECK_THROWS_AS(grad({x * 2}, {x}, {.gradients = {scalar(1), scalar(1)}}), std::invalid_argument);
}

TEST_CASE("passes: a refused grad() changes nothing") {
  Tensor x = leaf(3);
  x.set_grad(scalar(7));
  CHECK_THROWS_AS(grad({x * 2}, {x, scalar(1)}), std::invalid_argument);
  REQUIRE(x.grad().defined());
  CHECK(x.grad().item() == 7);
  backward(x * x);
  CHECK(x.grad().item() == 13);
}

TEST_CASE("passes: gradients of gradients") {
  Tensor x = leaf({1, -2, 3});
  const Tensor g = grad({sum(x * x * x)}, {x}, {.create_graph = true})[0];
  CHECK(g.values() == Values{3, 12, 27});
  const Tensor v = tensor({1, 10, 100});
  CHECK(grad({sum(g * v)}, {x})[0].values() == Values{6, -120, 1800});  // 6 x v
  Tensor y = leaf(2);
  Tensor d = pow(y, 4);
  for (Scalar expected : {32, 48, 48, 24}) {  // 4 y^3, 12 y^2, 24 y, 24
    d = grad({d}, {y}, {.create_graph = true})[0];
    CHECK(d.item() == expected);
  }
}

TEST_CASE("passes: Hessian times vector of x^T A x against A + A^T") {
  const Tensor a = tensor({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}});
  const Tensor v = tensor({{1}, {0}, {-2}});
  Tensor x = leaf({{2}, {3}, {5}});
  const Tensor g =
      grad({sum(matmul(x, matmul(a, x), {.a = true}))}, {x}, {.create_graph = true})[0];
  CHECK(grad({sum(g * v)}, {x})[0].values() == Values{-18, -22, -26});
}

TEST_CASE("passes: a backward function may run another backward pass") {
  // As in checkpointing: tensors that were not kept are computed again and differentiated in an
  // inner pass.
  Tensor x = leaf(3), inner = leaf(5);
  const Tensor y = record("checkpoint", scalar(9), {x}, [&](const Tensor& dy) -> Gradients {
    const RecordingScope recording(true);
    backward(inner * inner);
    const Tensor again = x.detach().set_requires_grad();
    return {grad({again * again}, {again}, {.gradients = {dy}})[0]};
  });
  backward(y * 2 + x);
  CHECK(x.grad().item() == 13);
  CHECK(inner.grad().item() == 10);
}

TEST_CASE("passes: a pass inside a pass over the same nodes") {
  // The inner pass once overwrote the outer pass's data for x, and the outer pass lost the other
  // gradients of x.
  for (const bool keep : {false, true}) {
    CAPTURE(keep);
    const auto square = [keep](const Tensor& x) {
      const auto by_pass = [x, keep](const Tensor& dy) -> Gradients {
        const RecordingScope recording(true);
        return {grad({x * x}, {x}, {.keep_graph = keep, .gradients = {dy}})[0].detach()};
      };
      return record("square", pow(x.detach(), 2), {x}, by_pass);
    };
    Tensor x = leaf(3);
    backward(square(x) + x * 5);
    CHECK(x.grad().item() == 11);
    CHECK(grad({square(x) + x * 5}, {x})[0].item() == 11);
    x.zero_grad();
    const Tensor h = x * x;  // not a leaf
    backward(square(h) + h);
    CHECK(x.grad().item() == 114);
    const Tensor other = x * x;
    CHECK(grad({other + square(other)}, {x})[0].item() == 114);
    CHECK(x.grad().item() == 114);  // the inner grad() collects nothing either
  }
}

TEST_CASE("passes: a checkpointed block whose weight is used outside it too") {
  Tensor x = leaf(6), w = leaf(3);
  const Tensor before = x * w;
  const auto recompute = [&](const Tensor& dy) -> Gradients {
    const RecordingScope recording(true);
    Tensor again = before.detach().set_requires_grad();
    backward(again * w, dy);  // collects in w
    return {again.grad()};
  };
  backward(record("checkpoint", before.detach() * w.detach(), {before}, recompute));
  CHECK(w.grad().item() == 36);  // x w^2: 2 x w
  CHECK(x.grad().item() == 9);
}

TEST_CASE("passes: an error names the graph that an inner pass freed") {
  Tensor x = leaf(3);
  const Tensor h = x * x;
  const auto frees = [&](const Tensor& dy) -> Gradients {
    backward(h);
    return {dy};
  };
  CHECK_THROWS_WITH_AS(backward(h + record("frees", scalar(9), {x}, frees)),
                       doctest::Contains("the graph behind mul of shape [] was freed"),
                       std::invalid_argument);
  x.zero_grad();
  backward(x * x);  // the passes before leave nothing behind
  CHECK(x.grad().item() == 6);
}

TEST_CASE("passes: grad() frees only the nodes that it passed") {
  Tensor x = leaf(3), w = leaf(5);
  const Tensor h = x * x;
  const Tensor y = h * w;
  const Tensor dh = grad({y}, {h})[0];
  CHECK(dh.item() == 5);
  backward(h, dh);  // the pass in two stages
  CHECK(x.grad().item() == 30);
  expect_spent(y);
  const Tensor left = x * 2, right = w * 3;
  CHECK(grad({left * right}, {x})[0].item() == 30);
  backward(right);
  CHECK(w.grad().item() == 3);
  expect_spent(left);
}

TEST_CASE("passes: a pass does not inherit the requested gradients of the last one") {
  Tensor x = leaf(3), w = leaf(5);
  int runs = 0;
  const Tensor y = x * identity(w, [&] { ++runs; });
  backward(y, Tensor(), true);
  CHECK(runs == 1);
  CHECK(grad({y}, {x}, {.keep_graph = true})[0].item() == 5);
  CHECK(runs == 1);
  CHECK(w.grad().item() == 3);
  CHECK(grad({y}, {w})[0].item() == 3);
  CHECK(runs == 2);
  CHECK(x.grad().item() == 5);
}

TEST_CASE("passes: a backward computes only the gradients that a pass wants") {
  Tensor x = leaf(3), w = leaf(5);
  const Tensor c = scalar(7);
  std::vector<bool> asked;
  const auto op = [&] {
    return record("asks", scalar(1), {x, c, w}, [&](const Tensor& dy, const Wanted& wanted) {
      asked = {wanted[0], wanted[1], wanted[2]};
      return Gradients{wanted[0] ? dy : Tensor(), Tensor(), wanted[2] ? dy : Tensor()};
    });
  };
  backward(op());
  CHECK(asked == std::vector<bool>{true, false, true});
  CHECK(grad({op()}, {w})[0].item() == 1);
  CHECK(asked == std::vector<bool>{false, false, true});
  const Tensor y =
      record("asks", scalar(8), {x},
             [&](const Tensor& dy, const Tensor& y, const Wanted& wanted) -> Gradients {
               asked = {wanted[0], wanted[1]};
               return {dy * y};
             });
  CHECK(grad({y}, {x})[0].item() == 8);
  CHECK(asked == std::vector<bool>{true, false});
}

TEST_CASE("passes: gradients that were asked for share no elements") {
  Tensor x = leaf({1, 2});
  const Tensor h1 = x * 2, h2 = x * 3;
  const Tensor seed = tensor({5, 6});
  const std::vector<Tensor> both = grad({h1 + h2}, {h1, h2}, {.gradients = {seed}});
  both[0].mutable_data()[0] = 7;
  CHECK(both[1].values() == Values{5, 6});
  CHECK(seed.values() == Values{5, 6});
}

TEST_CASE("passes: grad() of an intermediate tensor does not run the op that made it") {
  const Tensor x = tensor({1, 2}).set_requires_grad();
  int runs = 0;
  const Tensor h = record("counted", x.clone(), {x}, [&runs](const Tensor& dy) -> Gradients {
    ++runs;
    return {dy};
  });
  CHECK(grad({sum(h * h)}, {h})[0].values() == std::vector<Scalar>{2, 4});
  CHECK(runs == 0);
}
