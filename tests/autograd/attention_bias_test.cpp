#include "autograd/inspect/gradcheck.h"
#include "autograd/ops/attention.h"
#include "autograd/ops/index.h"
#include "autograd/ops/shape.h"
#include "tests/autograd/attention_cases.h"
#include "tests/autograd/expect.h"

using namespace gradus;
using namespace gradus::detail;

TEST_CASE("attention: a bias adds to the scores, and learns, whatever it broadcasts from") {
  const auto with_bias = [](bool causal) {
    return [=](const Tensors& x) {
      return scaled_dot_product_attention(
          x[0], x[1], x[2], {.mask = scattered({3, 11, 13}), .causal = causal, .bias = x[3]});
    };
  };
  for (const Shape& shape : {Shape{2, 3, 11, 13}, {3, 11, 13}, {2, 1, 1, 13}, {11, 1}, {13}}) {
    CAPTURE(text(shape));
    for (const bool causal : {false, true}) {
      Tensors x = operands(11, 13);
      x.push_back(drawn(shape, 3));
      CHECK_PATHS(with_bias(causal), x);
    }
  }
  // A bias of ln 3 for the first of two equal keys: weights 3/4 and 1/4.
  const Tensor same = zeros({2, 1});
  const Tensor bias = tensor({1.0986122886681098, 0});
  CHECK_CLOSE(scaled_dot_product_attention(same, same, tensor({{4}, {8}}), {.bias = bias}),
              tensor({{5}, {5}}));
  CHECK_FAILS(scaled_dot_product_attention(same, same, same, {.bias = zeros({3, 2, 2})}),
              "the bias must broadcast to the weights [2, 2]");
}

TEST_CASE("attention: packed, with a bias for each head, equals taking the heads apart") {
  const auto attention = [](auto run) {
    return [=](const Tensors& x) {
      return run(x[0], 3, AttentionOptions{.causal = true, .bias = x[1]});
    };
  };
  for (const Index time : {5, 131}) {  // one block of queries, and several
    CAPTURE(time);
    const Tensors x{drawn({2, time, 18}, 0), drawn({3, time, time}, 1)};
    const auto packed = [](const Tensor& qkv, int heads, const AttentionOptions& options) {
      return packed_self_attention(qkv, heads, options);
    };
    CHECK_SAME(attention(packed), attention(unpacked), x);
  }
}

TEST_CASE("attention: a bias has no gradient where the causal mask hides, over several blocks") {
  const Function with_bias = [](const Tensors& x) {
    return scaled_dot_product_attention(x[0], x[1], x[2], {.causal = true, .bias = x[3]});
  };
  Tensors x = operands(131, 137);
  x.push_back(drawn({3, 131, 137}, 3));
  CHECK_PATHS(with_bias, x);
}

TEST_CASE("attention: a query that may see nothing has no gradient, with a bias too") {
  const IndexTensor mask = indices({{0, 0}, {1, 1}});
  const auto run = [&](const Tensors& x) {
    return scaled_dot_product_attention(x[0], x[1], x[2], {.mask = mask, .bias = x[3]});
  };
  const Tensors results = value_and_gradients(
      run, {drawn({2, 3}, 0), drawn({2, 3}, 1), drawn({2, 3}, 2), drawn({2, 2}, 3)});
  for (const Tensor& result : results) {
    for (const Scalar x : result) CHECK(std::isfinite(x));
  }
  for (const std::size_t i : {0, 1, 4}) {  // y, dq, dbias
    CHECK(slice(results[i], 0, 0, 1).values() ==
          Values(static_cast<std::size_t>(results[i].size(1)), 0));
  }
}

#ifdef GRADUS_DOUBLE
TEST_CASE("attention: the gradient of a bias equals finite differences") {
  const TensorFunction f = [](const Tensors& x) {
    return scaled_dot_product_attention(x[0], x[1], x[2], {.causal = true, .bias = x[3]});
  };
  check_gradient(f, {{2, 3, 5}, {2, 4, 5}, {2, 4, 2}, {3, 4}});
  check_second_gradient(f, {{2, 3, 5}, {2, 4, 5}, {2, 4, 2}, {3, 4}});
}
#endif
