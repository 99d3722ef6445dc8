#include <doctest/doctest.h>

#include <functional>
#include <stdexcept>
#include <string>

#include "gradus/engine.h"

using namespace gradus;
using Values = std::vector<Scalar>;

TEST_CASE("saved: what an op saved must not change before backward") {
  const auto drawn = [](const Shape& shape) { return uniform(shape, {.seed = 3}, 1, 2); };
  const auto other = [&](Index m, Index n) { return drawn({m, n}); };
  struct Case {
    const char* op;                              // which the error names
    std::function<Tensor(const Tensor& x)> run;  // x [4, 4] requires a gradient
    std::function<void()> change = {};           // in place of x
  };
  const Tensor w = other(4, 4), row = drawn({4}), bias = other(4, 4);
  const IndexTensor at = indices({{0, 1, 2, 3}}), mask = causal_mask(4);
  const auto first = [](const auto& x) { return [x] { x.mutable_data()[0] += 0; }; };
  const Case cases[] = {
      {"mul", [&](const Tensor& x) { return x * w; }, first(w)},
      {"mul", [](const Tensor& x) { return x * x; }},
      {"div", [&](const Tensor& x) { return x / w; }, first(w)},
      {"div", [](const Tensor& x) { return 2 / x; }},
      {"pow", [](const Tensor& x) { return pow(x, 3); }},
      {"abs", [](const Tensor& x) { return abs(x); }},
      {"log", [](const Tensor& x) { return log(x); }},
      {"clamp", [](const Tensor& x) { return clamp(x, 0, 1); }},
      {"maximum", [&](const Tensor& x) { return maximum(x, w); }, first(w)},
      {"max", [](const Tensor& x) { return max(x, 0); }},
      {"matmul", [&](const Tensor& x) { return matmul(x, w); }, first(w)},
      {"linear", [&](const Tensor& x) { return linear(w, x); }, first(w)},
      {"embedding", [&](const Tensor& x) { return embedding(at, x); }, first(at)},
      {"gather", [&](const Tensor& x) { return gather(x, 1, at); }, first(at)},
      {"where", [&](const Tensor& x) { return where(mask, x, w); }, first(mask)},
      {"where", [&](const Tensor& x) { return masked_fill(x, mask, 0); }, first(mask)},
      {"sin", [](const Tensor& x) { return sin(x); }},
      {"cos", [](const Tensor& x) { return cos(x); }},
      {"gelu", [](const Tensor& x) { return gelu(x); }},
      {"gelu_erf", [](const Tensor& x) { return gelu_erf(x); }},
      {"silu", [](const Tensor& x) { return silu(x); }},
      {"relu_squared", [](const Tensor& x) { return relu_squared(x); }},
      {"layer_norm", [&](const Tensor& x) { return layer_norm(x, row); }, first(row)},
      {"rms_norm", [&](const Tensor& x) { return rms_norm(x); }},
      {"cross_entropy", [&](const Tensor& x) { return cross_entropy(x, at.reshape({4})); },
       first(at)},
      {"rotary", [&](const Tensor& x) { return rotary(x, w); }, first(w)},
      {"scaled_dot_product_attention",
       [&](const Tensor& x) { return scaled_dot_product_attention(x, w, w); }, first(w)},
      {"scaled_dot_product_attention",
       [&](const Tensor& x) { return scaled_dot_product_attention(x, x, x, {.mask = mask}); },
       first(mask)},
      {"scaled_dot_product_attention",
       [&](const Tensor& x) { return scaled_dot_product_attention(x, x, x, {.bias = bias}); },
       first(bias)},
      {"packed_self_attention",
       [&](const Tensor& x) {
         const Tensor qkv = reshape(concat({x, x, x}, 1), {1, 4, 12});
         return packed_self_attention(qkv, 2, {.mask = mask});
       },
       first(mask)},
  };
  for (const Case& c : cases) {
    CAPTURE(c.op);
    Tensor x = other(4, 4).set_requires_grad();
    const Tensor kept = sum(c.run(x));
    backward(kept);  // unchanged, it runs
    const Tensor y = sum(c.run(x));
    if (c.change) {
      c.change();
    } else {
      first(x)();
    }
    CHECK_THROWS_WITH_AS(backward(y), doctest::Contains((std::string(c.op) + " saved").c_str()),
                         std::invalid_argument);
  }
}

TEST_CASE("saved: a result that its gradient needs must not change either") {
  Tensor x = tensor({1, 2}).set_requires_grad();
  const Tensor y = tanh(x);
  Tensor(y, {1}, 1).mutable_data()[0] = 5;  // through another tensor with the same elements
  CHECK_THROWS_WITH_AS(backward(sum(y)),
                       "backward: tanh saved a tensor of shape [2] that was changed since (change "
                       "it after backward(), or give the op a clone())",
                       std::invalid_argument);
}

TEST_CASE("saved: what nobody saved may change, and anything after backward") {
  Tensor x = tensor({1, 2}).set_requires_grad(), w = tensor({3, 4});
  const Tensor added = sum(x + w);  // needs neither
  x.mutable_data()[0] = 7;
  w.mutable_data()[0] = 7;
  backward(added);
  CHECK(x.grad().values() == Values{1, 1});
  const Tensor loss = sum(x * w);
  backward(loss, {}, true);
  w.mutable_data()[1] = 8;
  CHECK_THROWS_WITH_AS(backward(loss), doctest::Contains("mul saved"), std::invalid_argument);
  x.zero_grad();
  backward(sum(x * w));  // computed again
  CHECK(x.grad().values() == Values{7, 8});
}

TEST_CASE("saved: read outside of a backward pass, too") {
  Tensor x = tensor({1, 2});
  const Saved kept(x);
  x.mutable_data()[0] = 3;
  CHECK_THROWS_WITH_AS(kept.verify(), doctest::Contains("an op saved a tensor of shape [2]"),
                       std::invalid_argument);
}
