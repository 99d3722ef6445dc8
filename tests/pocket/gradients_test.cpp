// Compiled in double, where finite differences are exact enough.
#include <doctest/doctest.h>

#include "gradcheck.h"
#include "ops.h"

using namespace pocket;

static std::vector<Tensor> inputs_of(const OpCase& op) {
  std::vector<Tensor> inputs;
  for (const Shape& shape : op.shapes) {
    const auto place = static_cast<std::uint32_t>(inputs.size());
    inputs.push_back(uniform(shape, {.seed = 1, .place = place}, -2, 2));
  }
  return inputs;
}

TEST_CASE("every gradient of pocket's engine equals finite differences") {
  for (const OpCase& op : op_cases()) {
    CAPTURE(op.name);
    CHECK_NOTHROW(check_gradient_at(op.f, inputs_of(op)));
  }
}

TEST_CASE("a wrong gradient is found, and named") {
  const auto wrong = [](const std::vector<Tensor>& x) {
    return record("cube", x[0] * x[0] * x[0], {x[0]},
                  [=](const Tensor& dy) -> Gradients { return {dy * x[0] * x[0]}; });
  };
  CHECK_THROWS_WITH_AS(
      check_gradient_at(wrong, {tensor({1, 2})}),
      "check_gradient: argument 0, element 0: got 1, expected 3 by central differences",
      std::invalid_argument);
}

static std::vector<Scalar> values(const Tensor& x) { return {x.begin(), x.end()}; }

TEST_CASE("leaves collect gradients, other tensors do not, and a pass frees its nodes") {
  Tensor x = tensor({2, 3}).set_requires_grad();
  const Tensor square = x * x;
  const Tensor y = sum(square * square + square);
  backward(y);
  CHECK(values(x.grad()) == std::vector<Scalar>{4 * 8 + 4, 4 * 27 + 6});
  CHECK_THROWS_WITH_AS(backward(y), doctest::Contains("freed"), std::invalid_argument);
  CHECK_THROWS_WITH_AS(square.grad(), doctest::Contains("leaf"), std::invalid_argument);
  backward(sum(x));
  CHECK(values(x.grad()) == std::vector<Scalar>{37, 115});
  x.zero_grad();
  CHECK(!x.grad().defined());
  const NoGrad no_grad;
  CHECK(!(x * x).requires_grad());
}

TEST_CASE("errors name the op and the shapes") {
  const Tensor x = ones({2, 3});
  const auto error = [](auto f, const char* message) {
    CHECK_THROWS_WITH_AS(f(), doctest::Contains(message), std::invalid_argument);
  };
  error([&] { return x + ones({2, 4}); }, "add: [2, 3] and [2, 4] do not broadcast: 3 is not 4");
  error([&] { return matmul(x, x); }, "matmul");
  error([&] { return matmul(ones({2, 1, 3}), ones({3, 3, 1})); }, "[2, 1, 3] and [3, 3, 1]");
  error([&] { return reshape(x, {5}); }, "[2, 3] does not fit [5]");
  error([&] { return reshape(x, {4, -1}); }, "does not fit");
  error([&] { return concat({x, ones({3, 3})}, 1); }, "concat: [3, 3] does not fit [2, 6]");
  error([&] { return slice(x, 1, 2, 4); }, "slice: [2, 4) is not within axis 1 of [2, 3]");
  error([&] { return embedding(indices({5}), x); }, "embedding: token 5 is not in [0, 2)");
  error([&] { return cross_entropy(x, indices({1})); }, "cross_entropy");
  error([&] { return Tensor() + Tensor(); }, "tensor: is undefined");
  Tensor y = ones({2, 3}).set_requires_grad();
  error([&] { backward(y * 2); }, "backward: [2, 3] needs a gradient of that shape, got []");
  error([&] { backward(x); }, "backward: the output was not computed from a leaf");
  error(
      [&] {
        backward(y * 2, ones({3, 2}));
      },
      "backward: [2, 3] needs a gradient of that shape, got [3, 2]");
  ones({2}).zero_grad();  // nothing to do, and no crash
  const Tensor bad =
      record("bad", ones({2}), {y}, [](const Tensor& dy) -> Gradients { return {dy}; });
  error([&] { backward(sum(bad)); }, "bad: gradient 0 has shape [2], its input [2, 3]");
}

TEST_CASE("a tensor prints as its literal is written") {
  std::ostringstream out;
  out << tensor({{1, 2.5}, {3, 4}}) << scalar(7) << zeros({0}) << tensor({{{1}, {2}}});
  CHECK(out.str() == "[[1, 2.5],\n [3, 4]]7[][[[1],\n  [2]]]");
}
