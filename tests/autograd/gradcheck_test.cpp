#include "autograd/inspect/gradcheck.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "autograd/graph.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"

using namespace gradus;

#ifndef GRADUS_DOUBLE

TEST_CASE("gradient check: refuses to run in float") {
  const auto square = [](const auto& x) { return x[0] * x[0]; };
  CHECK_THROWS_WITH_AS(
      check_gradient(square, {{2}}),
      doctest::Contains("check_gradient: float is too coarse for finite differences "
                        "(link the library in double: with pkg-config, "
                        "gradus-engine-double or gradus-double"),
      std::invalid_argument);
  CHECK_THROWS_AS(check_second_gradient(square, {{2}}), std::invalid_argument);
}

#else

namespace {

/// y = x * 3, with the gradient that `backward` computes.
template <class Backward>
TensorFunction triple(Backward backward) {
  return [backward](const std::vector<Tensor>& x) {
    return record("triple", x[0].detach() * 3, {x[0]}, backward);
  };
}

/// softmax over the last axis, with the gradient `rule(dy, y)`.
template <class Rule>
TensorFunction softmax(Rule rule) {
  return [rule](const std::vector<Tensor>& x) {
    const Tensor e = exp(x[0].detach());
    return record("softmax", e / sum(e, -1, {.keepdim = true}), {x[0]}, rule);
  };
}

Gradients softmax_rule(const Tensor& dy, const Tensor& y) {
  return {y * (dy - sum(dy * y, -1, {.keepdim = true}))};
}

void expect_rejected(const TensorFunction& f, const std::vector<Shape>& shapes,
                     const std::string& message) {
  CHECK_THROWS_WITH_AS(check_gradient(f, shapes), doctest::Contains(message.c_str()),
                       std::runtime_error);
}

}  // namespace

TEST_CASE("gradient check: accepts right gradients") {
  check_gradient(triple([](const Tensor& dy) -> Gradients { return {dy * 3}; }), {{2, 3}});
  check_gradient(softmax(softmax_rule), {{2, 3}});
  check_gradient([](const auto& x) { return matmul(x[0], x[1]) / x[2]; }, {{2, 3}, {3, 5}, {5}},
                 {.tolerance = 1e-6});
  check_gradient([](const auto& x) { return sum(x[0] * x[0]); }, {{}});
  check_gradient([](const auto& x) { return x[0]; }, {{7}});
  check_gradient([](const auto& x) { return reshape(x[0], {6}); }, {{2, 3}});
  check_gradient([](const auto& x) { return x[0] * x[1]; }, {{0, 3}, {3}});
  check_gradient([](const auto& x) { return pow(x[0], 0.5); }, {{5}}, {.low = 0.5, .high = 4});
  check_gradient_at([](const auto& x) { return x[0] * 1e-3 * x[0]; }, {tensor({1e6, -1e-6, 0})});
  const auto masked = [](const auto& x) { return x[0] + tensor({0, -INFINITY}); };
  check_gradient_at(
      [&](const auto& x) {
        return maximum(masked(x), tensor({-9, -9}));
      },
      {tensor({1, 2})});
}

TEST_CASE("gradient check: sees far more digits than a careless one") {
  // Differences are accurate to about 1e-11, so that an error in the tenth digit is found.
  const auto cube = [](const auto& x) { return pow(x[0], 3); };
  check_gradient(cube, {{3, 5}}, {.tolerance = 1e-10});
  const auto nearly = triple([](const Tensor& dy) -> Gradients { return {dy * (3 + 1e-8)}; });
  CHECK_THROWS_AS(check_gradient(nearly, {{3, 5}}, {.tolerance = 1e-9}), std::runtime_error);
}

TEST_CASE("gradient check: rejects a factor and says where") {
  const auto f = [](const std::vector<Tensor>& x) {
    return record("scale", x[0].detach() + x[1].detach() * 4, {x[0], x[1]},
                  [](const Tensor& dy) -> Gradients {
                    return {dy, dy * 2};
                  });
  };
  const std::vector<Tensor> at{tensor({{1}, {2}}), tensor({{1}, {2}})};
  CHECK_THROWS_WITH_AS(check_gradient_at(f, at),
                       doctest::Contains("scale: gradient of argument 1 at ["), std::runtime_error);
  CHECK_THROWS_WITH_AS(check_gradient_at(f, at),
                       doctest::Contains("by central differences (relative error 0.5); 2 of 2 "
                                         "elements are off"),
                       std::runtime_error);
}

TEST_CASE("gradient check: one wrong element among right ones is found and named") {
  const auto f = triple([](const Tensor& dy) -> Gradients {
    Tensor dx = dy * 3;
    dx.mutable_data()[4] += 0.001;
    return {dx};
  });
  expect_rejected(f, {{2, 3}}, "triple: gradient of argument 0 at [1, 1]: got");
  expect_rejected(f, {{2, 3}}, "; 1 of 6 elements are off");
  expect_rejected(f, {{5}}, "at [4]");
}

TEST_CASE("gradient check: rejects a transposed gradient") {
  const auto product = [](const std::vector<Tensor>& x) {
    return record("product", matmul(x[0].detach(), x[1].detach()), {x[0], x[1]},
                  [a = x[0].detach(), b = x[1].detach()](const Tensor& dy) -> Gradients {
                    return {matmul(dy, b, {.b = true}), matmul(dy, a, {.a = true})};  // a^T dy
                  });
  };
  expect_rejected(product, {{3, 3}, {3, 3}}, "product: gradient of argument 1");
}

TEST_CASE("gradient check: rejects errors that a plain sum as the loss hides") {
  // The sum of a softmax is 1 for every x, so with a sum a gradient of 0 would be right.
  expect_rejected(softmax([](const Tensor& dy, const Tensor&) -> Gradients { return {dy * 0}; }),
                  {{2, 3}}, "softmax: gradient of argument 0");
  expect_rejected(softmax([](const Tensor& dy, const Tensor& y) -> Gradients {
                    return {y * (dy - sum(dy * y))};  // over all rows at once
                  }),
                  {{2, 3}}, "softmax: gradient of argument 0");
  // With equal weights, a gradient from the wrong output would not be detected.
  expect_rejected(triple([](const Tensor& dy) -> Gradients {
                    Tensor dx = dy * 3;
                    std::swap(dx.mutable_data()[0], dx.mutable_data()[1]);
                    return {dx};
                  }),
                  {{2}}, "2 of 2");
}

TEST_CASE("gradient check: rejects missing, NaN and forgotten gradients") {
  CHECK_THROWS_WITH_AS(
      check_gradient(triple([](const Tensor&) -> Gradients { return {Tensor()}; }), {{2}}),
      doctest::Contains("gave its input"), std::invalid_argument);
  expect_rejected(triple([](const Tensor& dy) -> Gradients { return {dy * NAN}; }), {{2}}, "nan");
  expect_rejected([](const auto& x) { return x[0] * x[0].detach(); }, {{2}}, "relative error 0.5");
  expect_rejected([](const auto& x) { return x[0].detach(); }, {{2}}, "got 0");
  CHECK_THROWS_WITH_AS(
      check_gradient_at([](const auto& x) { return pow(x[0], 0.5); }, {tensor({1, -1})}),
      doctest::Contains("nan, expected 0 by"), std::runtime_error);
}

TEST_CASE("gradient check: each argument alone") {
  // Right if both require a gradient, wrong if only the second does.
  const auto f = [](const std::vector<Tensor>& x) {
    return record(
        "mul", x[0].detach() * x[1].detach(), {x[0], x[1]},
        [a = x[0], b = x[1]](const Tensor& dy) -> Gradients {
          return {dy * b.detach(), dy * (a.requires_grad() ? a.detach() : zeros(a.shape()))};
        });
  };
  expect_rejected(f, {{2}, {2}}, "gradient of argument 1 (the only one required) at [");
}

TEST_CASE("gradient check: rejects functions that change their arguments") {
  expect_rejected(
      [](const auto& x) {
        x[0].mutable_data()[0] += 1;
        return x[0] * 2;
      },
      {{2}}, "argument 0 is changed");
  expect_rejected(triple([](const Tensor& dy) -> Gradients {
                    const Tensor dx = dy * 3;
                    dy.mutable_data()[0] = 0;
                    return {dx};
                  }),
                  {{2}}, "triple: backward changes the gradient it is given");
  int calls = 0;
  expect_rejected([&](const auto& x) { return x[0] * ++calls; }, {{2}},
                  "a different result when called again");
  expect_rejected([](const auto& x) { return x[0] * (x[0].requires_grad() ? 2 : 1); }, {{2}},
                  "the result differs when gradients are required");
}

TEST_CASE("second gradient check: accepts right ones") {
  check_second_gradient([](const auto& x) { return x[0] * x[1] / (x[1] * x[1] + 1); },
                        {{2, 3}, {3}});
  check_second_gradient([](const auto& x) { return matmul(x[0], x[1]); }, {{2, 3}, {3, 5}});
  check_second_gradient([](const auto& x) { return x[0] * 2; }, {{5}});
  check_second_gradient_at([](const auto& x) { return pow(x[0], 4); }, {tensor({0, 1, -2})});
}

TEST_CASE("second gradient check: rejects a gradient that is right once") {
  const auto square = [](const std::vector<Tensor>& x) {
    return record("square", x[0].detach() * x[0].detach(), {x[0]},
                  [x = x[0].detach()](const Tensor& dy) -> Gradients { return {dy * x * 2}; });
  };
  check_gradient(square, {{3}});  // but x is treated as a constant there
  CHECK_THROWS_WITH_AS(check_second_gradient(square, {{3}}),
                       doctest::Contains("gradient of argument 0"), std::runtime_error);
}

#endif
