#include "nn/module.h"

#include <doctest/doctest.h>

#include "autograd/graph.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "nn/layers/encoder.h"

using namespace gradus;

namespace {

struct Pair {
  Tensor weight;
  Tensor bias;
  void fields(auto&& f) {
    f("weight", weight);
    f("bias", bias);
  }
};

struct Nest {
  Tensor own;
  Pair inner;
  std::vector<Pair> many;
  void fields(auto&& f) {
    f("own", own);
    f("inner", inner);
    f("many", many);
  }
};

Nest example() {
  Nest nest;
  nest.own = zeros({2, 3}).set_requires_grad();
  nest.inner.weight = ones({5}).set_requires_grad();  // and no bias
  nest.many = {{ones({1}).set_requires_grad(), ones({7}).set_requires_grad()},
               {scalar(4).set_requires_grad(), Tensor()}};
  return nest;
}

}  // namespace

TEST_CASE("module: parameters are named by their path, in the order of the fields") {
  Nest nest = example();
  std::vector<std::string> names;
  for (const NamedTensor& parameter : parameters(nest)) {
    names.push_back(parameter.name);
  }
  const std::vector<std::string> expected = {"own", "inner.weight", "many.0.weight", "many.0.bias",
                                             "many.1.weight"};
  CHECK(names == expected);
}

TEST_CASE("module: a prefix goes before the names") {
  Pair pair{zeros({2}), zeros({3})};
  std::string names;
  visit_parameters(
      pair, [&](const std::string& name, Tensor&) { names += name + " "; }, "h.3.");
  CHECK(names == "h.3.weight h.3.bias ");
}

TEST_CASE("module: the count is that of the numbers in all parameters") {
  Nest nest = example();
  CHECK(count(parameters(nest)) == 6 + 5 + 1 + 7 + 1);
  CHECK(count({}) == 0);
}

TEST_CASE("module: the listed tensors are the module's own") {
  Nest nest = example();
  parameters(nest)[1].tensor.data()[3] = 9;
  CHECK(nest.inner.weight.at({3}) == 9);
}

TEST_CASE("module: frozen parameters collect no gradient, thawed ones do") {
  Nest nest = example();
  set_requires_grad(nest.inner, false);
  CHECK_FALSE(nest.inner.weight.requires_grad());
  CHECK(nest.own.requires_grad());
  backward(sum(nest.own) + sum(nest.inner.weight));
  CHECK(nest.own.grad().defined());
  set_requires_grad(nest.inner, true);
  backward(sum(nest.inner.weight));
  CHECK(nest.inner.weight.grad().values() == std::vector<Scalar>(5, 1));
}

TEST_CASE("module: freezing and thawing leaves running means to themselves") {
  KeySequence keys(1);
  Encoder encoder({.d_model = 4, .num_heads = 2, .norm = NormKind::kBatch}, 1, keys);
  const std::size_t learning = trainable(parameters(encoder)).size();
  set_requires_grad(encoder, false);
  CHECK(trainable(parameters(encoder)).empty());
  set_requires_grad(encoder, true);
  CHECK(trainable(parameters(encoder)).size() == learning);
  for (const NamedTensor& named : parameters(encoder)) {
    const bool running = named.name.find("running_") != std::string::npos;
    CAPTURE(named.name);
    CHECK(named.tensor.requires_grad() == !running);
  }
}

TEST_CASE("module: the summary lists name, shape, count and the total") {
  Nest nest = example();
  CHECK(summary(parameters(nest)) ==
        "parameter      shape        numbers\n"
        "own            [2, 3]             6\n"
        "inner.weight   [5]                5\n"
        "many.0.weight  [1]                1\n"
        "many.0.bias    [7]                7\n"
        "many.1.weight  []                 1\n"
        "total                            20\n");
}
