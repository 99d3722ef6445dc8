#include "nn/layers/layers.h"

#include <algorithm>
#include <cmath>

#include "autograd/inspect/gradcheck.h"
#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/dropout.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"
#include "nn/layers/attention.h"
#include "nn/layers/feed_forward.h"
#include "nn/layers/norm.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

/// Columns [begin, end) of a weight [in, out] or a bias [out], as a parameter.
Tensor columns(const Tensor& x, Index begin, Index end) {
  return slice(x.detach(), -1, begin, end).set_requires_grad();
}

/// A multi-head attention with the weights of a packed one.
MultiHeadAttention taken_apart(const CausalSelfAttention& packed, Index channels) {
  MultiHeadAttention apart;
  apart.num_heads = packed.num_heads;
  Linear* parts[] = {&apart.query, &apart.key, &apart.value};
  for (Index i = 0; i < 3; ++i) {
    parts[i]->weight = columns(packed.c_attn.weight, i * channels, (i + 1) * channels);
    parts[i]->bias = columns(packed.c_attn.bias, i * channels, (i + 1) * channels);
  }
  apart.output = packed.c_proj;
  return apart;
}

}  // namespace

TEST_CASE("linear: x W + b, with the weight as [in, out]") {
  Linear layer;
  layer.weight = tensor({{1, 2, 3}, {4, 5, 6}});
  layer.bias = tensor({10, 20, 30});
  CHECK(layer(tensor({{{1, 0}, {1, 1}}})).values() == std::vector<Scalar>{11, 22, 33, 15, 27, 39});
  layer.bias = Tensor();
  CHECK(layer(tensor({1, 1})).values() == std::vector<Scalar>{5, 7, 9});
  CHECK_THROWS_WITH_AS(layer(ones({2, 3})), doctest::Contains("linear"), std::invalid_argument);
}

TEST_CASE("linear: starts within 1 / sqrt(in), another draw for each layer") {
  KeySequence keys(1);
  const Linear a(25, 401, keys);
  const Linear b(25, 401, keys, false);
  const auto [low, high] = std::ranges::minmax(a.weight.values());
  CHECK(low >= Scalar(-0.2));
  CHECK(low < Scalar(-0.19));
  CHECK(high < Scalar(0.2));
  CHECK(high > Scalar(0.19));
  CHECK(a.bias.shape() == Shape{401});
  CHECK(std::ranges::max(a.bias.values()) > Scalar(0.19));
  CHECK_FALSE(b.bias.defined());
  CHECK(a.weight.values() != b.weight.values());
  CHECK(a.weight.requires_grad());
}

TEST_CASE("embedding: rows of the table, and the token it lacks is named") {
  Embedding table;
  table.weight = tensor({{1, 2}, {3, 4}, {5, 6}});
  const Tensor y = table(indices({{2, 0, 2}}));
  CHECK(y.shape() == Shape{1, 3, 2});
  CHECK(y.values() == std::vector<Scalar>{5, 6, 1, 2, 5, 6});
  CHECK_THROWS_WITH_AS(table(indices({0, 3})), doctest::Contains("3"), std::invalid_argument);
  KeySequence keys(2);
  const Tensor weight = Embedding(211, 53, keys).weight;
  CHECK(weight.shape() == Shape{211, 53});
  double squares = 0;
  for (const Scalar w : weight) squares += double{w} * w;
  CHECK(squares / 11183 == doctest::Approx(1).epsilon(0.05));
}

TEST_CASE("layer norm: starts as the bare normalisation, and its bias is optional") {
  const LayerNorm norm(4, true, 0);
  CHECK_CLOSE(norm(tensor({{1, 1, 3, 3}, {0, 8, 0, 8}})), tensor({{-1, -1, 1, 1}, {-1, 1, -1, 1}}));
  CHECK_FALSE(LayerNorm(4, false).bias.defined());
  CHECK_THROWS_WITH_AS(norm(ones({2, 3})), doctest::Contains("layer_norm"), std::invalid_argument);
}

TEST_CASE("feed-forward: two linear maps with a GELU between") {
  KeySequence keys(3);
  const FeedForward layer(3, 7, keys);
  const Tensor x = drawn({2, 5, 3}, 1);
  const Tensor hidden = gelu(matmul(x, layer.c_fc.weight) + layer.c_fc.bias);
  CHECK_CLOSE(layer(x), matmul(hidden, layer.c_proj.weight) + layer.c_proj.bias);
}

TEST_CASE("feed-forward: dropout acts on the result, in training only, by the step's keys") {
  KeySequence keys(3);
  FeedForward layer(3, 7, keys, true, Scalar(0.5));
  const Tensor x = drawn({2, 5, 3}, 1);
  const Tensor in_use = layer(x);
  const Training training(8, 2);
  const Tensor in_training = layer(x);
  CHECK(in_training.values() == dropout(in_use, Scalar(0.5), {8, 2, 65536}).values());
  CHECK(in_training.values() != in_use.values());
}

TEST_CASE("self-attention: the packed product equals three taken apart") {
  KeySequence keys(4);
  const CausalSelfAttention packed(10, 2, keys);
  const MultiHeadAttention apart = taken_apart(packed, 10);
  const auto with_mha = [&](const Tensors& x) { return apart(x[0], x[0], {.causal = true}); };
  CHECK_SAME([&](const Tensors& x) { return packed(x[0]); }, with_mha, {drawn({2, 7, 10}, 1)});
}

TEST_CASE("self-attention: a position does not see those after it, to the last bit") {
  KeySequence keys(4);
  const CausalSelfAttention attention(10, 2, keys);
  const Tensor x = drawn({1, 7, 10}, 1);
  const Tensor y = attention(x);
  for (Index t = 0; t < 7; ++t) {
    Tensor changed = x.clone();
    std::fill(changed.mutable_data() + (t + 1) * 10, changed.mutable_data() + changed.size(),
              Scalar(1e6));
    const Tensor z = attention(changed);
    CHECK(std::equal(y.begin(), y.begin() + (t + 1) * 10, z.begin()));
  }
}

TEST_CASE("self-attention: dropout is drawn anew by each step, and repeats with it") {
  KeySequence keys(4);
  const CausalSelfAttention attention(10, 2, keys, true, Scalar(0.3));
  const Tensor x = drawn({2, 7, 10}, 1);
  const auto at_step = [&](std::uint32_t step) {
    const Training training(1, step);
    return attention(x).values();
  };
  CHECK(at_step(5) == at_step(5));
  CHECK(at_step(5) != at_step(6));
  CHECK(at_step(5) != attention(x).values());
}

TEST_CASE("multi-head attention: widths of keys, values, source and result are one's own choice") {
  KeySequence keys(5);
  const MultiHeadAttention attention(
      10, 3, keys, {.key_dim = 2, .value_dim = 5, .output_shape = 11, .source = 7});
  CHECK(attention.query.weight.shape() == Shape{10, 6});
  CHECK(attention.key.weight.shape() == Shape{7, 6});
  CHECK(attention.value.weight.shape() == Shape{7, 15});
  CHECK(attention.output.weight.shape() == Shape{15, 11});
  CHECK(attention(drawn({2, 3, 10}, 1), drawn({2, 4, 7}, 2)).shape() == Shape{2, 3, 11});
}

TEST_CASE("multi-head attention: a mask hides sources") {
  KeySequence keys(5);
  const MultiHeadAttention attention(10, 2, keys, {});
  const Tensor x = drawn({1, 3, 10}, 1);
  const Tensor source = drawn({1, 4, 10}, 2);
  const Tensor two = slice(source, 1, 0, 2);
  CHECK_CLOSE(attention(x, source, {.mask = indices({{1, 1, 0, 0}})}), attention(x, two));
}

TEST_CASE("attention layers: channels that do not divide among the heads are refused") {
  KeySequence keys(5);
  CHECK_THROWS_WITH_AS(CausalSelfAttention(10, 3, keys),
                       doctest::Contains("10 channels do not divide among 3 heads"),
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(MultiHeadAttention(10, 0, keys, {}), doctest::Contains("among 0 heads"),
                       std::invalid_argument);
}

TEST_CASE("layers: options that are no numbers, infinite or of the wrong sign are refused") {
  KeySequence keys(5);
  const Tensor x = ones({1, 2, 4});
  for (const Scalar wrong : {kNaN, kInf, -kInf, Scalar(-1)}) {
    CHECK_FAILS(LayerNorm(4, true, wrong)(x), "layer_norm: epsilon must be finite");
    CHECK_FAILS(RmsNorm(4, wrong)(x), "rms_norm: epsilon must be finite");
    CHECK_FAILS(BatchNorm(4, wrong)(x), "batch_norm: epsilon must be finite");
    BatchNorm norm(4);
    norm.momentum = wrong;
    CHECK_FAILS(norm(x), "batch_norm: momentum must be in [0, 1]");
    CHECK_FAILS(Dropout{wrong}(x), "dropout: the probability of dropping must be in [0, 1)");
    CHECK_FAILS(FeedForward(4, 4, keys, true, wrong)(x), "dropout: the probability of dropping");
    CHECK_FAILS(CausalSelfAttention(4, 2, keys, true, wrong)(x),
                "CausalSelfAttention: the probability of dropping");
    CHECK_FAILS(MultiHeadAttention(4, 2, keys, {}, true, wrong)(x, x),
                "MultiHeadAttention: the probability of dropping");
  }
}

TEST_CASE("layers: sizes whose products would overflow are refused") {
  KeySequence keys(5);
  for (const Index wrong : {INT64_MAX, INT64_MIN, Index{-1}, Index{0}}) {
    CHECK_FAILS(Linear(wrong, 2, keys), "Linear: sizes must be in [1, 1073741824], got ");
    CHECK_FAILS(Linear(2, wrong, keys), "Linear: sizes must be in [1, 1073741824], got ");
    CHECK_FAILS(FeedForward(2, wrong, keys), "FeedForward: sizes must be in [1, 1073741824]");
    CHECK_FAILS(CausalSelfAttention(wrong, 1, keys), "CausalSelfAttention: sizes must be in [1, ");
    CHECK_FAILS(MultiHeadAttention(wrong, 1, keys, {}),
                "MultiHeadAttention: sizes must be in [1, ");
  }
  CHECK_FAILS(MultiHeadAttention(4, INT32_MAX, keys, {.key_dim = INT64_MAX}),
              "MultiHeadAttention: sizes must be in [1, ");
}

TEST_CASE("kv cache: rows do not move to a room that is too small") {
  KvCache cache(1, 1, 4, 2);
  cache.length = 3;
  CHECK(of_rows(cache, indices({0}), 3).keys.shape() == Shape{1, 1, 3, 2});
  CHECK_FAILS(of_rows(cache, indices({0}), 2), "of_rows: cache.length must be in [0, 2], got 3");
  cache.length = INT64_MAX;
  CHECK_FAILS(of_rows(cache, indices({0})), "[0, 4], got 9223372036854775807");
}

#ifdef GRADUS_DOUBLE
TEST_CASE("layers: gradients of inputs and parameters agree with finite differences") {
  const auto set = [](Linear& layer, const Tensor& weight, const Tensor& bias) {
    layer.weight = weight;
    layer.bias = bias;
  };
  KeySequence keys(6);
  FeedForward feed_forward(3, 5, keys);
  check_gradient(
      [&](const Tensors& x) {
        set(feed_forward.c_fc, x[1], x[2]);
        set(feed_forward.c_proj, x[3], x[4]);
        return feed_forward(x[0]);
      },
      {{2, 3}, {3, 5}, {5}, {5, 3}, {3}});
  CausalSelfAttention attention(6, 2, keys);
  check_gradient(
      [&](const Tensors& x) {
        set(attention.c_attn, x[1], x[2]);
        set(attention.c_proj, x[3], x[4]);
        return attention(x[0]);
      },
      {{2, 3, 6}, {6, 18}, {18}, {6, 6}, {6}});
}
#endif
