#include "autograd/ops/attention.h"

#include "autograd/inspect/gradcheck.h"
#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/norm.h"
#include "autograd/ops/selection.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "tests/autograd/attention_cases.h"
#include "tests/autograd/expect.h"

using namespace gradus;
using namespace gradus::detail;

namespace {

constexpr RandomKey kKey{.seed = 42, .step = 3, .place = 5};

Function attention(const AttentionOptions& options = {}) {
  return [=](const Tensors& x) { return scaled_dot_product_attention(x[0], x[1], x[2], options); };
}

}  // namespace

TEST_CASE("attention: by hand") {
  // Scores ln 3 and 0 for the first query, 0 and 0 for the second: weights (3/4, 1/4), (1/2, 1/2).
  const Tensor q = tensor({{1.0986122886681098, 0}, {0, 0}});
  const Tensor k = tensor({{1, 0}, {0, 1}});
  const Tensor v = tensor({{4, 8, 0}, {0, 4, -4}});
  const AttentionOptions plain{.scale = 1};
  CHECK_CLOSE(scaled_dot_product_attention(q, k, v, plain), tensor({{3, 7, -1}, {2, 6, -2}}));
  CHECK_CLOSE(attention_weights(q, k, plain), tensor({{0.75, 0.25}, {0.5, 0.5}}));
  CHECK_CLOSE(scaled_dot_product_attention(q * std::sqrt(Scalar(2)), k, v),
              tensor({{3, 7, -1}, {2, 6, -2}}));
  AttentionOptions causal = plain;
  causal.causal = true;
  CHECK_CLOSE(scaled_dot_product_attention(q, k, v, causal), tensor({{4, 8, 0}, {2, 6, -2}}));
  AttentionOptions masked = plain;
  masked.mask = indices({{0, 1}, {1, 0}});
  CHECK_CLOSE(scaled_dot_product_attention(q, k, v, masked), tensor({{0, 4, -4}, {4, 8, 0}}));
}

TEST_CASE("attention: gradients by hand") {
  // One query with weights (3/4, 1/4): dv = weights dy; dscores = 3/16 (4, -4).
  Tensor q = tensor({{1.0986122886681098, 0}}).set_requires_grad();
  Tensor k = tensor({{1, 0}, {0, 1}}).set_requires_grad();
  Tensor v = tensor({{5}, {1}}).set_requires_grad();
  backward(scaled_dot_product_attention(q, k, v, {.scale = 1}));
  CHECK_CLOSE(v.grad(), tensor({{0.75}, {0.25}}));
  CHECK_CLOSE(q.grad(), tensor({{0.75, -0.75}}));
  CHECK_CLOSE(k.grad(), tensor({{0.75 * 1.0986122886681098, 0}, {-0.75 * 1.0986122886681098, 0}}));
}

TEST_CASE("attention: fused equals composed at and around the block boundaries") {
  for (const Index size : {1, 2, 63, 64, 65, 130}) {
    for (const bool causal : {false, true}) {
      CAPTURE(size);
      CAPTURE(causal);
      CHECK_PATHS(attention({.causal = causal}), operands(size, size));
    }
  }
}

TEST_CASE("attention: fewer and more keys than queries") {
  const std::vector<std::pair<Index, Index>> sizes{{7, 1},   {1, 7},   {3, 11},   {11, 3},
                                                   {67, 61}, {61, 67}, {131, 61}, {61, 131},
                                                   {3, 131}, {131, 3}};
  for (const auto& pair : sizes) {
    const Index targets = pair.first, sources = pair.second;
    for (const bool causal : {false, true}) {
      CAPTURE(targets);
      CAPTURE(sources);
      CAPTURE(causal);
      CHECK_PATHS(attention({.causal = causal}), operands(targets, sources));
    }
  }
}

TEST_CASE("attention: causal queries line up with the keys at the end") {
  // More queries than keys: the first T - S queries attend to no key.
  const Tensor y = scaled_dot_product_attention(drawn({3, 5}, 0), drawn({2, 5}, 1),
                                                tensor({{1}, {2}}), {.causal = true});
  CHECK(y.at({0, 0}) == 0);
  CHECK(y.at({1, 0}) == 1);
  CHECK((y.at({2, 0}) > 1 && y.at({2, 0}) < 2));
  // A single query is the last one and attends to all keys, as in generation token by token.
  const Tensors x = operands(1, 7);
  CHECK_CLOSE(attention({.causal = true})(x), attention()(x), 0);
}

TEST_CASE("attention: masks of every shape that broadcasts") {
  for (const auto& pair : {std::pair<Index, Index>{11, 13}, {67, 71}}) {
    const Index targets = pair.first, sources = pair.second;
    const std::vector<Shape> shapes{{sources},
                                    {targets, sources},
                                    {1, sources},
                                    {targets, 1},
                                    {1, 1},
                                    {1, 1, 1, sources},
                                    {2, 1, 1, sources},
                                    {2, 1, targets, sources},
                                    {3, targets, sources},
                                    {1, 3, 1, sources},
                                    {2, 3, targets, sources},
                                    {2, 3, targets, 1}};
    for (const Shape& shape : shapes) {
      for (const bool causal : {false, true}) {
        CAPTURE(shape);
        CAPTURE(causal);
        const AttentionOptions options{.mask = scattered(shape), .causal = causal};
        CHECK_PATHS(attention(options), operands(targets, sources));
      }
    }
  }
}

TEST_CASE("attention: a query that may see nothing gives zeros and a zero gradient") {
  const AttentionOptions options{.mask = indices({{0, 0, 0}, {1, 0, 1}})};
  const Tensors x{drawn({2, 5}, 0), drawn({3, 5}, 1), drawn({3, 7}, 2)};
  const Tensors results = value_and_gradients(attention(options), x);
  for (Index i = 0; i < 7; ++i) {
    CHECK(results[0].at({0, i}) == 0);
    CHECK(results[3].at({1, i}) == 0);  // dv of the key to which no query attends
  }
  for (Index i = 0; i < 5; ++i) {
    CHECK(results[1].at({0, i}) == 0);
    CHECK(results[2].at({1, i}) == 0);
  }
  const AttentionOptions all{.mask = indices({{0}})};
  for (const Tensor& result : value_and_gradients(attention(all), x)) {
    CHECK(std::all_of(result.begin(), result.end(), [](Scalar v) { return v == 0; }));
  }
}

TEST_CASE("attention: dropout drops the same weights as the composed version") {
  for (const Index size : {7, 67, 131}) {
    for (const bool causal : {false, true}) {
      CAPTURE(size);
      CAPTURE(causal);
      const AttentionOptions options{.mask = scattered({2, 1, 1, size + 4}),
                                     .causal = causal,
                                     .dropout = Scalar(0.3),
                                     .key = kKey};
      CHECK_PATHS(attention(options), operands(size, size + 4));
    }
  }
}

TEST_CASE("attention: dropout keeps the expectation and depends on the key") {
  const Tensors x{drawn({97, 5}, 0), drawn({89, 5}, 1), ones({89, 1})};
  const auto at = [&](std::uint64_t seed) {
    return attention({.dropout = Scalar(0.5), .key = {.seed = seed}})(x);
  };
  CHECK(at(1).values() == at(1).values());
  CHECK(at(1).values() != at(2).values());
  CHECK(std::abs(mean(at(1)).item() - 1) < 0.05);
}

TEST_CASE("attention: packed equals split, permuted and joined") {
  for (const Index time : {1, 7, 67}) {
    for (const int heads : {1, 3}) {
      for (const bool causal : {false, true}) {
        CAPTURE(time);
        CAPTURE(heads);
        CAPTURE(causal);
        AttentionOptions options{.mask = scattered({2, 1, 1, time}), .causal = causal};
        const Function f = [&](const Tensors& x) {
          return tanh(packed_self_attention(x[0], heads, options)) * sum(x[0]);
        };
        const Function g = [&](const Tensors& x) {
          return tanh(unpacked(x[0], heads, options)) * sum(x[0]);
        };
        const Tensors inputs{drawn({2, time, 3 * 15}, 0) * Scalar(0.5)};
        CHECK_SAME(f, g, inputs, kIsDouble ? 1e-11 : 5e-5);
        options.dropout = Scalar(0.3);
        options.key = kKey;
        CHECK_SAME(f, g, inputs, kIsDouble ? 1e-11 : 5e-5);
      }
    }
  }
}

TEST_CASE("attention: packed, with masks of every shape that broadcasts to [B, H, T, T]") {
  for (const Shape& shape :
       {Shape{11, 11}, Shape{3, 1, 11}, Shape{2, 1, 11, 11}, Shape{2, 3, 1, 11}}) {
    CAPTURE(shape);
    const AttentionOptions options{.mask = scattered(shape), .causal = true, .scale = Scalar(0.7)};
    CHECK_SAME([&](const Tensors& x) { return packed_self_attention(x[0], 3, options); },
               [&](const Tensors& x) { return unpacked(x[0], 3, options); },
               {drawn({2, 11, 3 * 15}, 0)});
  }
}

TEST_CASE("attention: grouped queries equal heads with copies of their keys and values") {
  for (const Index time : {1, 7, 131}) {  // one block of queries, and several
    for (const int kv_heads : {1, 2, 3, 6}) {
      CAPTURE(time);
      CAPTURE(kv_heads);
      AttentionOptions options{.causal = true, .bias = drawn({6, time, time}, 1)};
      const Function grouped = [&](const Tensors& x) {
        return tanh(packed_self_attention(x[0], 6, options, kv_heads));
      };
      const Function copied = [&](const Tensors& x) {
        return tanh(packed_self_attention(with_own_keys(x[0], 6, kv_heads), 6, options));
      };
      const Tensors x{drawn({2, time, (6 + 2 * kv_heads) * 5}, 0) * Scalar(0.5)};
      CHECK_SAME(grouped, copied, x, kIsDouble ? 1e-11 : 5e-5);
      CHECK_PATHS(grouped, x, kIsDouble ? 1e-11 : 5e-5);
      options.dropout = Scalar(0.3);
      options.key = kKey;
      CHECK_SAME(grouped, copied, x, kIsDouble ? 1e-11 : 5e-5);
    }
  }
}

TEST_CASE("attention: a window hides the keys before the last ones") {
  const Tensor scores = zeros({4, 1});  // equal scores: the mean of the visible values
  const Tensor v = tensor({{1}, {2}, {4}, {8}});
  CHECK_CLOSE(scaled_dot_product_attention(scores, scores, v, {.causal = true, .window = 2}),
              tensor({{1}, {1.5}, {3}, {6}}));
  CHECK_CLOSE(scaled_dot_product_attention(scores, scores, v, {.causal = true, .window = 1}), v);
  for (const Index window : {1, 3, 70, 131, 1000}) {
    CAPTURE(window);
    const AttentionOptions by_window{.causal = true, .window = window};
    const AttentionOptions by_mask{.mask = causal_mask(131, 137, window)};
    const Tensors x = operands(131, 137);
    CHECK_SAME(attention(by_window), attention(by_mask), x);
    CHECK_PATHS(attention(by_window), x);
  }
}

TEST_CASE("attention: one tensor as query, key and value") {
  const AttentionOptions options{.causal = true};
  const Function f = [&](const Tensors& x) {
    return scaled_dot_product_attention(x[0], x[0], x[0], options);
  };
  CHECK_PATHS(f, Tensors{drawn({2, 7, 5}, 0)});
}

TEST_CASE("attention: very large scores") {
  const Tensors x{tensor({{1e4, 0}, {0, 1e4}}), tensor({{1e4, 0}, {0, 1e4}}), tensor({{3}, {5}})};
  const Tensors results = value_and_gradients(attention({.scale = 1}), x);
  CHECK_CLOSE(results[0], tensor({{3}, {5}}));
  CHECK_CLOSE(results[1], zeros({2, 2}));
  CHECK_CLOSE(results[2], zeros({2, 2}));
  // Equal keys: near a score of 1e5 floats are 0.008 apart, and ln 3 must not be rounded to this
  // precision.
  const Tensors equal{tensor({{1e5}}), ones({3, 1}), tensor({{3}, {5}, {10}})};
  CHECK_PATHS(attention(), equal, kRounding);
  const Function whole = [](const Tensors& x) { return packed_self_attention(x[0], 1); };
  const Function parts = [](const Tensors& x) {
    const Tensors p = split(x[0], 3, -1);
    const ComposedOps composed;
    return scaled_dot_product_attention(p[0], p[1], p[2]);
  };
  CHECK_SAME(whole, parts, {tensor({{{1e5, 1, 3}, {1e5, 1, 5}, {1e5, 1, 10}}})}, kRounding);
}

TEST_CASE("attention: NaN is not taken for a mask") {
  const Tensor k = drawn({3, 5}, 1), v = drawn({3, 7}, 2);
  Tensor q = drawn({2, 5}, 0).clone();
  q.mutable_data()[3] = kNaN;
  const Tensor y = scaled_dot_product_attention(q, k, v);
  CHECK(std::isnan(y.at({0, 0})));
  CHECK(std::isfinite(y.at({1, 0})));
  const Tensor masked = scaled_dot_product_attention(q, k, v, {.mask = indices({{1, 0, 0}})});
  CHECK(std::isnan(masked.at({0, 0})));
  q.mutable_data()[3] = kInf;
  CHECK(std::isnan(scaled_dot_product_attention(q, abs(k), v).at({0, 0})));
}

TEST_CASE("attention: no queries, no keys, no batches, no width") {
  const auto shapes_of = [](const Tensors& x) {
    const Tensors results = value_and_gradients(attention({.causal = true}), x);
    for (const Tensor& result : results) {
      CHECK(std::all_of(result.begin(), result.end(), [](Scalar v) { return v == 0; }));
    }
    return results[0].shape();
  };
  CHECK(shapes_of({zeros({2, 0, 5}), drawn({2, 3, 5}, 0), drawn({2, 3, 7}, 1)}) == Shape{2, 0, 7});
  CHECK(shapes_of({drawn({2, 3, 5}, 0), zeros({2, 0, 5}), zeros({2, 0, 7})}) == Shape{2, 3, 7});
  CHECK(shapes_of({zeros({0, 3, 5}), zeros({0, 3, 5}), zeros({0, 3, 7})}) == Shape{0, 3, 7});
  CHECK(shapes_of({drawn({3, 5}, 0), drawn({3, 5}, 1), zeros({3, 0})}) == Shape{3, 0});
  CHECK(packed_self_attention(zeros({2, 0, 15}), 5).shape() == Shape{2, 0, 5});
  CHECK(packed_self_attention(zeros({0, 3, 15}), 5).shape() == Shape{0, 3, 5});
}

TEST_CASE("attention: heads without channels match every key equally, on both paths") {
  const Tensors x{zeros({2, 0}), zeros({3, 0}), tensor({{1}, {2}, {6}})};
  CHECK_CLOSE(scaled_dot_product_attention(x[0], x[1], x[2]), tensor({{3}, {3}}));
  CHECK_CLOSE(attention_weights(x[0], x[1]), full({2, 3}, Scalar(1) / 3));
  CHECK_PATHS(attention({}), x);
}

TEST_CASE("attention: errors name the argument that does not fit") {
  const Tensor q = zeros({2, 3, 5}), k = zeros({2, 7, 5}), v = zeros({2, 7, 11});
  CHECK_FAILS(scaled_dot_product_attention(q, zeros({2, 7, 3}), v),
              "scaled_dot_product_attention: needs q [..., T, D], k [..., S, D] and v [..., S, E], "
              "got q [2, 3, 5], k [2, 7, 3] and v [2, 7, 11]");
  CHECK_FAILS(scaled_dot_product_attention(q, zeros({3, 7, 5}), v), "k [3, 7, 5]");
  CHECK_FAILS(scaled_dot_product_attention(q, k, zeros({2, 5, 11})), "v [2, 5, 11]");
  CHECK_FAILS(scaled_dot_product_attention(zeros({5}), k, v), "got q [5]");
  CHECK_FAILS(scaled_dot_product_attention(q, k, v, {.mask = IndexTensor({3, 5})}),
              "scaled_dot_product_attention: shapes must broadcast, got [3, 5] and [2, 3, 7]");
  CHECK_FAILS(scaled_dot_product_attention(q, k, v, {.mask = IndexTensor({5, 1, 3, 7})}),
              "scaled_dot_product_attention: the mask must broadcast to the weights [2, 3, 7], got "
              "[5, 1, 3, 7]");
  CHECK_FAILS(scaled_dot_product_attention(q, k, v, {.dropout = 1}),
              "scaled_dot_product_attention: the probability of dropping must be in [0, 1), got 1");
  CHECK_FAILS(packed_self_attention(zeros({2, 3, 15}), 2),
              "packed_self_attention: needs qkv [B, T, 3 C] with C a multiple of the 2 heads, got "
              "[2, 3, 15]");
  CHECK_FAILS(packed_self_attention(zeros({3, 15}), 5), "packed_self_attention: needs qkv");
  CHECK_FAILS(packed_self_attention(zeros({2, 3, 15}), 0), "the 0 heads");
  CHECK_FAILS(packed_self_attention(zeros({2, 3, 16}), 3, {}, 2),
              "packed_self_attention: the number of heads must be a multiple of the number of kv "
              "heads, got 3 and 2");
  CHECK_FAILS(packed_self_attention(zeros({2, 3, 15}), 4, {}, -2), "got 4 and -2");
  CHECK_FAILS(packed_self_attention(zeros({2, 3, 15}), 4, {}, 2),
              "needs qkv [B, T, (H + 2 K) D] for H = 4 heads and K = 2 kv heads, got [2, 3, 15]");
  CHECK_FAILS(scaled_dot_product_attention(q, k, v, {.causal = true, .window = -1}),
              "a window needs causal attention and must not be negative, got -1");
  CHECK_FAILS(scaled_dot_product_attention(q, k, v, {.window = 2}), "got 2 without causal");
  CHECK_FAILS(packed_self_attention(zeros({2, 3, 15}), 5, {.dropout = Scalar(-0.1)}),
              "packed_self_attention: the probability of dropping must be in [0, 1), got -0.1");
}

TEST_CASE("attention: several threads, over many heads and in one") {
  const AttentionOptions options{.causal = true, .dropout = Scalar(0.1), .key = kKey};
  CHECK_THREADS(attention(options), operands(131, 131));
  CHECK_THREADS(attention(options), {drawn({257, 31}, 0), drawn({263, 31}, 1), drawn({263, 29}, 2)},
                kIsDouble ? 1e-11 : 1e-4);
  CHECK_THREADS([&](const Tensors& x) { return packed_self_attention(x[0], 5, options); },
                {drawn({3, 67, 3 * 35}, 3)});
  CHECK_THREADS([&](const Tensors& x) { return packed_self_attention(x[0], 6, options, 3); },
                {drawn({3, 67, 12 * 7}, 3)});
}

#ifdef GRADUS_DOUBLE

TEST_CASE("attention: gradients") {
  for (const bool causal : {false, true}) {
    for (const double dropout : {0.0, 0.3}) {
      const AttentionOptions options{.causal = causal, .dropout = dropout, .key = kKey};
      const auto twice = [](const Function& f) {
        return [f](const Tensors& x) { return tanh(f(x)) * sum(x[0] * x[0]); };
      };
      const std::vector<Shape> shapes{{2, 3, 5}, {2, 2, 5}, {2, 2, 7}};
      check_gradient(twice(attention(options)), shapes);
      check_gradient(twice(in_words(attention(options))), shapes);
      check_second_gradient(attention(options), shapes);
      const TensorFunction packed = [=](const Tensors& x) {
        return tanh(packed_self_attention(x[0], 2, options)) * sum(x[0]);
      };
      check_gradient(packed, {{2, 3, 3 * 10}});
      check_second_gradient(packed, {{1, 3, 3 * 4}});
    }
  }
}

TEST_CASE("attention: gradients of grouped queries within a window") {
  const AttentionOptions options{
      .causal = true, .window = 2, .bias = drawn({4, 5, 5}, 1), .dropout = 0.3, .key = kKey};
  const TensorFunction grouped = [=](const Tensors& x) {
    return tanh(packed_self_attention(x[0], 4, options, 2)) * sum(x[0]);
  };
  check_gradient(grouped, {{2, 5, 8 * 3}});
  check_gradient(in_words(grouped), {{2, 5, 8 * 3}});
  check_second_gradient(grouped, {{1, 5, 8 * 2}});
}

TEST_CASE("attention: gradients under a mask, with a query that sees nothing") {
  const AttentionOptions options{.mask = indices({{1, 0, 1}, {0, 0, 0}, {0, 1, 1}, {1, 1, 1}})};
  const std::vector<Shape> shapes{{2, 4, 5}, {2, 3, 5}, {2, 3, 2}};
  check_gradient(attention(options), shapes);
  check_gradient(in_words(attention(options)), shapes);
  check_second_gradient(attention(options), shapes);
}

TEST_CASE("attention: gradients over several blocks") {
  check_gradient(attention({.causal = true}), {{65, 1}, {67, 1}, {67, 2}});
}

#endif

TEST_CASE("attention weights: a mask or bias must not add batches") {
  const Tensor q = ones({2, 3}), k = ones({4, 3});
  CHECK_THROWS_WITH_AS(static_cast<void>(attention_weights(q, k, {.mask = IndexTensor({5, 2, 4})})),
                       doctest::Contains("attention_weights: the mask must broadcast"),
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(static_cast<void>(attention_weights(q, k, {.bias = ones({5, 2, 4})})),
                       doctest::Contains("attention_weights: the bias must broadcast"),
                       std::invalid_argument);
}

TEST_CASE("attention_weights: speaks for itself where q and k do not fit") {
  CHECK_THROWS_WITH_AS(
      static_cast<void>(attention_weights(ones({2, 3}), ones({2, 4}))),
      "attention_weights: needs q [..., T, D] and k [..., S, D], got q [2, 3] and k [2, 4]",
      std::invalid_argument);
  CHECK_THROWS_WITH_AS(
      layer_norm(ones({2, 3}), ones({4}), Tensor()),
      "layer_norm: needs x [..., C], weight [C] and bias [C], got x [2, 3], weight [4], bias none",
      std::invalid_argument);
}
