#include "nn/module.h"

#include <doctest/doctest.h>

#include "autograd/graph.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/reduce.h"
#include "nn/layers/encoder.h"
#include "nn/layers/norm.h"
#include "nn/models/gpt.h"

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

TEST_CASE("module: counts the numbers in all parameters") {
  Nest nest = example();
  CHECK(count(parameters(nest)) == 6 + 5 + 1 + 7 + 1);
  CHECK(count({}) == 0);
}

TEST_CASE("module: the listed tensors are the module's own") {
  Nest nest = example();
  parameters(nest)[1].tensor.mutable_data()[3] = 9;
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

TEST_CASE("module: a constant module names its parameters, and hands out nothing to assign to") {
  const Nest nest = example();
  CHECK(parameters(nest).size() == 5);
  CHECK(count(parameters(nest)) == 6 + 5 + 1 + 7 + 1);
  visit_parameters(nest, [](const std::string&, auto& parameter) {
    static_assert(std::is_same_v<decltype(parameter), const Tensor&>);
  });
  const Gpt gpt({.vocab_size = 5, .n_positions = 4, .n_layer = 1, .n_head = 1, .n_embd = 6}, 1);
  CHECK(parameters(gpt)[0].name == "transformer.wte.weight");
}

TEST_CASE("module: a clone has the values and shares none of them") {
  Gpt gpt({.vocab_size = 5, .n_positions = 4, .n_layer = 2, .n_head = 1, .n_embd = 6}, 1);
  gpt.wpe.weight.set_requires_grad(false);
  const Gpt plain = gpt;
  const Gpt cloned = clone(std::as_const(gpt));
  const std::vector<NamedTensor> of_model = parameters(gpt), of_clone = parameters(cloned);
  REQUIRE(of_clone.size() == of_model.size());
  for (std::size_t i = 0; i < of_model.size(); ++i) {
    CHECK(of_clone[i].name == of_model[i].name);
    CHECK(of_clone[i].role == of_model[i].role);
    CHECK(of_clone[i].tensor.values() == of_model[i].tensor.values());
    CHECK(of_clone[i].tensor.requires_grad() == of_model[i].tensor.requires_grad());
    CHECK(of_clone[i].tensor.data() != of_model[i].tensor.data());
  }
  gpt.wte.weight.mutable_data()[0] = 42;
  CHECK(plain.wte.weight.data()[0] == 42);
  CHECK(cloned.wte.weight.data()[0] != 42);
  const IndexTensor tokens = indices({{1, 2, 3}});
  backward(gpt.loss(tokens, tokens));
  CHECK_FALSE(cloned.wte.weight.grad().defined());
  backward(cloned.loss(tokens, tokens));
  CHECK(cloned.wte.weight.grad().defined());
}

TEST_CASE("module: a clone of batch norm has its own running means") {
  BatchNorm norm(2);
  const BatchNorm cloned = clone(norm);
  {
    const Training training(1, 1);
    norm(tensor({{1, 2}, {3, 5}}));
  }
  CHECK(norm.running_mean.data()[0] != 0);
  CHECK(cloned.running_mean.values() == zeros({2}).values());
  CHECK(cloned.running_var.values() == ones({2}).values());
  CHECK_FALSE(cloned.running_mean.requires_grad());
}

TEST_CASE("module: tensors shared within a module are shared within its clone") {
  Nest nest = example();
  nest.many[0].weight = nest.inner.weight;
  const Nest cloned = clone(nest);
  CHECK(cloned.many[0].weight.data() == cloned.inner.weight.data());
  backward(sum(cloned.many[0].weight * cloned.inner.weight));
  CHECK(cloned.inner.weight.grad().values() == std::vector<Scalar>(5, 2));
}
