// Tensors that closures keep must not change. Ops keep and compute only the tensors that a required
// gradient needs; the tests measure memory.

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>

#include "autograd/kernels/allocator.h"
#include "gradus/engine.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

constexpr Index kRows = 250, kColumns = 250;

Tensor matrix() { return ones({kRows, kColumns}); }
Tensor leaf() { return matrix().set_requires_grad(); }

/// The number of matrices in `bytes`, rounded.
long matrices(std::ptrdiff_t bytes) {
  const std::ptrdiff_t before = allocator_stats().bytes_in_use;
  const Tensor one = matrix();
  return std::lround(static_cast<double>(bytes) /
                     static_cast<double>(allocator_stats().bytes_in_use - before));
}

/// The number of matrices that the graph of op(h, c) keeps besides its result. h is the result of
/// an op, and c is a constant.
long kept_of(const std::function<Tensor(const Tensor&, const Tensor&)>& op) {
  const Tensor x = leaf(), c = matrix();
  const std::ptrdiff_t before = allocator_stats().bytes_in_use;
  const Tensor y = op(x + 1, c);
  return matrices(allocator_stats().bytes_in_use - before) - 1;
}

/// The largest number of matrices that exist during a pass through y, with its result, but without
/// dy and the matrices that existed before.
long peak_of(const Tensor& y, const std::function<void(const Tensor&)>& pass) {
  const Tensor total = sum(y);
  const std::ptrdiff_t before = allocator_stats().bytes_in_use;
  reset_peak_memory();
  pass(total);
  return matrices(allocator_stats().peak_bytes_in_use - before) - 1;
}

long peak_of_backward(const Tensor& y) {
  return peak_of(y, [](const Tensor& total) { backward(total); });
}

long peak_of_grad(const Tensor& y, const Tensor& x) {
  return peak_of(y, [&](const Tensor& total) { grad({total}, {x}); });
}

}  // namespace

TEST_CASE("needed: a constant's gradient keeps no tensors") {
  using Op = std::function<Tensor(const Tensor&, const Tensor&)>;
  const Op ops[] = {
      [](const Tensor& h, const Tensor& c) { return h * c; },
      [](const Tensor& h, const Tensor& c) { return c * h; },
      [](const Tensor& h, const Tensor& c) { return h / c; },
      [](const Tensor& h, const Tensor& c) { return h + c; },
      [](const Tensor& h, const Tensor& c) { return c - h; },
      [](const Tensor& h, const Tensor& c) { return matmul(h, c); },
      [](const Tensor& h, const Tensor& c) { return matmul(c, h); },
      [](const Tensor& h, const Tensor& c) { return linear(h, c); },
      [](const Tensor& h, const Tensor& c) { return linear(c, h); },
  };
  for (std::size_t i = 0; i < std::size(ops); ++i) {
    CAPTURE(i);
    CHECK(kept_of(ops[i]) == 0);
  }
  CHECK(kept_of([](const Tensor& h, const Tensor&) { return h * h; }) == 1);
}

TEST_CASE("needed: backward() computes no gradient that nothing wants") {
  const Tensor c = matrix();
  CHECK(peak_of_backward(leaf() * c) == 1);
  CHECK(peak_of_backward(leaf() / c) == 1);
  CHECK(peak_of_backward(c / leaf()) == 2);  // dy / b as an intermediate result
  CHECK(peak_of_backward(leaf() - c) == 0);  // dy itself
  CHECK(peak_of_backward(c - leaf()) == 1);
  CHECK(peak_of_backward(maximum(leaf(), c)) == 2);  // and where it was larger
  CHECK(peak_of_backward(maximum(c, leaf())) == 2);
}

TEST_CASE("needed: nor does grad()") {
  const Tensor x = leaf(), w = leaf();
  CHECK(peak_of_grad(x * w, x) == 1);
  CHECK(peak_of_grad(x / w, x) == 1);
  CHECK(peak_of_grad(x - w, x) == 0);
  CHECK(peak_of_grad(matmul(x, w), x) == 1);
  CHECK(peak_of_grad(linear(x, w), w) == 1);
  CHECK(peak_of_grad(maximum(x, w), w) == 2);
}

TEST_CASE("needed: a part of a concat that nobody wants is not cut out of the gradient") {
  const Tensor x = leaf(), w = leaf();
  const Tensor y = concat({x + 1, w, matrix()}, 0);
  CHECK(peak_of_grad(y, x) == peak_of_grad(concat({matrix(), x + 1, matrix()}, 0), x));
}

TEST_CASE("needed: attention computes only the required gradients") {
  const Shape shape{40, 40, 40};  // as large as a matrix; the working memory of a head is small
  const auto leaves = [&] {
    Tensors all;
    for (std::uint32_t i = 0; i < 4; ++i) all.push_back(drawn(shape, i).set_requires_grad());
    return all;
  };
  const auto attention = [](const Tensors& x) {
    return scaled_dot_product_attention(x[0], x[1], x[2], {.causal = true, .bias = x[3]});
  };
  const Tensors x = leaves(), dy{drawn(shape, 9)};
  const Tensors every = grad({attention(x)}, x, {.gradients = dy});
  for (std::size_t i = 0; i < 4; ++i) {
    CAPTURE(i);
    const Tensor y = attention(x);
    const std::ptrdiff_t before = allocator_stats().bytes_in_use;
    reset_peak_memory();
    const Tensor one = grad({y}, {x[i]}, {.gradients = dy})[0];
    CHECK(matrices(allocator_stats().peak_bytes_in_use - before) == 1);
    CHECK(one.values() == every[i].values());
  }
  const Tensor qkv = drawn({40, 40, 120}, 0).set_requires_grad();
  Tensor bias = drawn({1, 40, 40}, 1).set_requires_grad();
  const Tensor y = packed_self_attention(qkv, 1, {.bias = bias});
  const std::ptrdiff_t before = allocator_stats().bytes_in_use;
  reset_peak_memory();
  const Tensor only = grad({y}, {bias}, {.gradients = {drawn({40, 40, 40}, 9)}})[0];
  CHECK(matrices(allocator_stats().peak_bytes_in_use - before) == 2);  // and dy, drawn here
  CHECK(only.shape() == bias.shape());
}

TEST_CASE("needed: sums over repeated axes are not made in vain") {
  const auto allocations = [](const Tensor& y) {
    const Tensor dy = ones(y.shape());
    const std::uint64_t before = allocator_stats().allocations;
    backward(y, dy);
    return allocator_stats().allocations - before;
  };
  const Tensor row = ones({kColumns});
  const std::uint64_t alone = allocations(leaf() + matrix());
  CHECK(allocations(leaf() + row) == alone);
  CHECK(allocations(row + leaf()) == alone);
  CHECK(allocations(leaf() - row) == alone);
}

TEST_CASE("needed: RMS norm computes only the required gradients") {
  const Tensor x = drawn({kRows, kColumns}, 1).set_requires_grad(), dy = drawn(x.shape(), 2);
  const Tensor weight = drawn({kColumns}, 3).set_requires_grad();
  const auto gradient = [&](const Tensors& inputs, long most) {
    const Tensor y = rms_norm(x, weight);
    const std::ptrdiff_t before = allocator_stats().bytes_in_use;
    reset_peak_memory();
    const Tensors gradients = grad({y}, inputs, {.gradients = {dy}});
    CHECK(matrices(allocator_stats().peak_bytes_in_use - before) == most);
    return gradients;
  };
  const Tensors both = gradient({x, weight}, 1);
  CHECK(gradient({x}, 1)[0].values() == both[0].values());
  CHECK(gradient({weight}, 0)[0].values() == both[1].values());
}

TEST_CASE("needed: layer norm computes only the required gradients") {
  const Tensor weight = ones({kColumns}), bias = zeros({kColumns});
  const Tensor x = drawn({kRows, kColumns}, 1), dy = drawn({kRows, kColumns}, 2);
  const auto gradients = [&](bool of_x, bool of_weight, bool of_bias) {
    Tensor a = x.clone(), w = weight.clone(), b = bias.clone();
    a.set_requires_grad(of_x);
    w.set_requires_grad(of_weight);
    b.set_requires_grad(of_bias);
    const Tensor y = layer_norm(a, w, b);
    const std::ptrdiff_t before = allocator_stats().bytes_in_use;
    reset_peak_memory();
    backward(y, dy);
    CHECK(matrices(allocator_stats().peak_bytes_in_use - before) == (of_x ? 1 : 0));
    Tensors all;
    for (const Tensor& leaf : {a, w, b}) {
      all.push_back(leaf.requires_grad() ? leaf.grad() : Tensor());
    }
    return all;
  };
  const Tensors every = gradients(true, true, true);
  for (int wanted = 1; wanted < 7; ++wanted) {
    CAPTURE(wanted);
    const Tensors some = gradients((wanted & 1) != 0, (wanted & 2) != 0, (wanted & 4) != 0);
    for (int i = 0; i < 3; ++i) {
      REQUIRE(some[i].defined() == ((wanted >> i & 1) != 0));
      if (some[i].defined()) CHECK_CLOSE(some[i], every[i]);
    }
  }
}

TEST_CASE("saved: a saved tensor must not change before backward") {
  const auto drawn = [](const Shape& shape) { return uniform(shape, {.seed = 3}, 1, 2); };
  const auto other = [&](Index m, Index n) { return drawn({m, n}); };
  struct Case {
    const char* op;                              // the name in the error
    std::function<Tensor(const Tensor& x)> run;  // x [4, 4] requires a gradient
    std::function<void()> change = {};           // changes another tensor than x
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
  CHECK_THROWS_WITH_AS(
      backward(sum(y)),
      "backward: tanh saved a tensor of shape [2] that has changed since then (change "
      "the tensor after backward(), or give the op a clone())",
      std::invalid_argument);
}

TEST_CASE("saved: other tensors may change, and every tensor after backward") {
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
