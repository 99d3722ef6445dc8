#include "nn/layers/lora.h"

#include <algorithm>
#include <string>
#include <vector>

#include "autograd/inspect/gradcheck.h"
#include "autograd/ops/matmul.h"
#include "nn/layers/encoder.h"
#include "nn/models/gpt.h"
#include "nn/optim/sgd.h"
#include "tests/autograd/expect.h"
#include "tests/nn/tiny_gpt.h"

using namespace gradus;

namespace {

constexpr LoraOptions kSmallPair{.rank = 2, .alpha = 3};

GptConfig config_to_adapt() {
  GptConfig config = tiny_gpt_config();
  config.dropout = 0;
  return config;
}

Tensor loss_to_adapt(const Gpt& model) {
  return model.loss(indices({{0, 1, 2, 3, 4, 5, 0}, {5, 3, 1, 1, 2, 4, 0}}),
                    indices({{1, 2, 3, 4, 5, 0, 2}, {3, 1, 1, 2, 4, 0, 5}}));
}

/// The linear layers of a model, in order.
std::vector<Linear*> linears_of(Gpt& model) {
  std::vector<Linear*> layers;
  visit_linears(model, [&](Linear& layer) { layers.push_back(&layer); });
  return layers;
}

/// A model with pairs that change its output, and its seed.
Gpt adapted_gpt(const GptConfig& config) {
  Gpt model = drawn_gpt(config);
  KeySequence keys(3);
  add_lora(model, kSmallPair, keys);
  std::uint32_t place = 40;
  for (Linear* layer : linears_of(model)) {
    std::ranges::copy(drawn(layer->lora_b.shape(), ++place, Scalar(-0.3), Scalar(0.3)),
                      layer->lora_b.mutable_data());
  }
  return model;
}

/// Puts W + s A B in place of W, and removes the pair.
void merge_pairs(Gpt& model) {
  for (Linear* layer : linears_of(model)) {
    const NoGrad no_grad;
    layer->weight = layer->weight + layer->lora_scale * matmul(layer->lora_a, layer->lora_b);
    layer->weight.set_requires_grad();
    layer->lora_a = layer->lora_b = Tensor();
  }
}

/// The identity [rows, columns].
Tensor identity(Index rows, Index columns) {
  Tensor x = zeros({rows, columns});
  for (Index i = 0; i < std::min(rows, columns); ++i) x.mutable_data()[i * columns + i] = 1;
  return x;
}

}  // namespace

TEST_CASE("lora: x W + b + alpha / r (x A) B") {
  Linear layer;
  layer.weight = tensor({{1, 2}, {3, 4}});
  layer.bias = tensor({10, 20});
  layer.lora_a = tensor({{1}, {2}});
  layer.lora_b = tensor({{1, -1}});
  layer.lora_scale = LoraOptions{.rank = 1, .alpha = Scalar(0.5)}.scale();
  // x A = 1, 3 and 4, of which B makes (0.5, -0.5) times each.
  CHECK(layer(tensor({{1, 0}, {1, 1}, {0, 2}})).values() ==
        std::vector<Scalar>{11.5, 21.5, 15.5, 24.5, 18, 26});
}

TEST_CASE("lora: a new pair changes nothing, and alone is trained") {
  KeySequence keys(1);
  Linear layer(30, 20, keys);
  const Tensor x = drawn({4, 30}, 1), before = layer(x);
  add_lora(layer, {.rank = 5, .alpha = 10}, keys);
  CHECK(layer.lora_scale == 2);
  CHECK(layer(x).values() == before.values());
  CHECK_FALSE(layer.weight.requires_grad());
  CHECK_FALSE(layer.bias.requires_grad());
  std::vector<std::string> names;
  for (const NamedTensor& named : trainable(parameters(layer))) names.push_back(named.name);
  CHECK(names == std::vector<std::string>{"lora_A.weight", "lora_B.weight"});
  CHECK(layer.lora_a.shape() == Shape{30, 5});
  CHECK(layer.lora_b.shape() == Shape{5, 20});
  double squares = 0;
  for (const Scalar a : layer.lora_a) squares += double{a} * a;
  CHECK(squares / 150 == doctest::Approx(1 / 30.0).epsilon(0.2));
  Linear other(30, 20, keys);
  add_lora(other, {.rank = 5}, keys);
  CHECK(other.lora_a.values() != layer.lora_a.values());
}

TEST_CASE("lora: a model has pairs in each block's maps, and the first loss does not change") {
  for (const auto& layout : decoder_configs()) {
    const std::string& name = layout.first;
    const GptConfig& config = layout.second;
    CAPTURE(name);
    Gpt model = drawn_gpt(config);
    const IndexTensor tokens = indices({{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0}});
    const Scalar before = model.loss(tokens, tokens).item();
    const Index all = count(parameters(model));
    KeySequence keys(2);
    add_lora(model, kSmallPair, keys);
    CHECK(linears_of(model).size() == 8);
    CHECK(model.loss(tokens, tokens).item() == before);
    Index added = 0;
    for (const Linear* layer : linears_of(model)) {
      added += 2 * (layer->weight.size(0) + layer->weight.size(1));
    }
    CHECK(count(trainable(parameters(model))) == added);
    CHECK(count(parameters(model)) == all + added);
  }
  KeySequence keys(4);
  Encoder encoder({.d_model = 8, .num_heads = 2}, 2, keys);
  add_lora(encoder, kSmallPair, keys);
  CHECK(trainable(parameters(encoder)).size() == 24);
}

TEST_CASE("lora: merged and apart, the logits are the same") {
  for (const auto& layout : decoder_configs()) {
    const std::string& name = layout.first;
    const GptConfig& config = layout.second;
    CAPTURE(name);
    const IndexTensor tokens = indices({{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0}});
    Gpt model = adapted_gpt(config);
    const Tensor before = drawn_gpt(config)(tokens).detach();
    const Tensor apart = model(tokens).detach();
    merge_pairs(model);
    CHECK(parameters(model).size() == parameters(drawn_gpt(config)).size());
    const Tensor merged = model(tokens).detach();
    CHECK(difference(merged, apart, 10 * kSameMaths) == "");
    CHECK(difference(merged, before, 1e-2) != "");
  }
}

TEST_CASE("lora: the gradients of A and B are s dW B^T and s A^T dW") {
  Gpt apart = adapted_gpt(config_to_adapt());
  Gpt merged = adapted_gpt(config_to_adapt());
  merge_pairs(merged);
  backward(loss_to_adapt(apart));
  backward(loss_to_adapt(merged));
  const std::vector<Linear*> pairs = linears_of(apart), whole = linears_of(merged);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    CAPTURE(i);
    const NoGrad no_grad;
    const Linear& layer = *pairs[i];
    const Tensor dw = whole[i]->weight.grad();
    const Tensor da = layer.lora_scale * matmul(dw, layer.lora_b, {.b = true});
    const Tensor db = layer.lora_scale * matmul(layer.lora_a, dw, {.a = true});
    CHECK(difference(layer.lora_a.grad(), da, kSameMaths) == "");
    CHECK(difference(layer.lora_b.grad(), db, kSameMaths) == "");
    CHECK(sum(abs(da)).item() > 1e-3);
    CHECK(sum(abs(db)).item() > 1e-3);
  }
}

TEST_CASE("lora: gradients agree with finite differences") {
  if constexpr (kIsDouble) {
    check_gradient(
        [](const auto& x) {
          Linear layer;
          layer.weight = x[1];
          layer.bias = x[2];
          layer.lora_a = x[3];
          layer.lora_b = x[4];
          layer.lora_scale = 1.5;
          return layer(x[0]);
        },
        {{2, 3, 4}, {4, 5}, {5}, {4, 2}, {2, 5}});
  }
}

// A product A B of full rank can be any matrix. With the identity for one of the two, the other
// is the change of W itself, so that gradient descent on it takes the same steps.
TEST_CASE("lora: with full rank and an identity, gradient descent is full fine-tuning's") {
  Gpt full = drawn_gpt(config_to_adapt());
  set_requires_grad(full, false);
  for (Linear* layer : linears_of(full)) layer->weight.set_requires_grad();
  Gpt apart = drawn_gpt(config_to_adapt());
  set_requires_grad(apart, false);
  for (Linear* layer : linears_of(apart)) {
    KeySequence keys(1);
    const Index in = layer->weight.size(0), out = layer->weight.size(1), rank = std::min(in, out);
    add_lora(*layer, {.rank = rank, .alpha = static_cast<Scalar>(rank)}, keys);
    const bool is_first = in <= out;
    layer->lora_a = is_first ? identity(in, rank) : zeros({in, rank});
    layer->lora_b = is_first ? zeros({rank, out}) : identity(rank, out);
    (is_first ? layer->lora_b : layer->lora_a).set_requires_grad();
  }
  Sgd one(trainable(parameters(full)), {}), other(trainable(parameters(apart)), {});
  for (int step = 0; step < 10; ++step) {
    CAPTURE(step);
    one.zero_grad();
    other.zero_grad();
    const Tensor a = loss_to_adapt(full), b = loss_to_adapt(apart);
    CHECK(a.item() == doctest::Approx(b.item()).epsilon(kIsDouble ? 1e-12 : 1e-4));
    backward(a);
    backward(b);
    one.step(Scalar(0.1));
    other.step(Scalar(0.1));
  }
  CHECK(loss_to_adapt(full).item() < loss_to_adapt(drawn_gpt(config_to_adapt())).item());
}

TEST_CASE("lora: refuses layers that cannot be adapted") {
  KeySequence keys(1);
  Linear layer(4, 3, keys), none;
  CHECK_FAILS(add_lora(layer, {.rank = 4}, keys),
              "lora: the rank must be from 1 to 3, the smaller side of a layer [4, 3], got 4");
  CHECK_FAILS(add_lora(layer, {.rank = 0}, keys), "lora: the rank must be from 1 to 3");
  for (const Scalar alpha : {Scalar(0), Scalar(-1), kInf, kNaN}) {
    CHECK_FAILS(add_lora(layer, {.rank = 1, .alpha = alpha}, keys),
                "lora: alpha must be above 0 and finite, got ");
  }
  CHECK(layer.weight.requires_grad());
  CHECK_FAILS(add_lora(none, {}, keys), "lora: has no parameters");
  add_lora(layer, {.rank = 3}, keys);
  CHECK_FAILS(add_lora(layer, {.rank = 3}, keys), "lora: the layer has a low-rank pair already");
}
