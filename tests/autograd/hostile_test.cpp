// Calls every op with sizes, positions and options at the limits of their types. Each call must
// give an error that begins with the name of the op. With the sanitizers, no sum or product of
// sizes may overflow before this error. Tensors without elements are cheap, and their axes may have
// any size.

#include <functional>

#include "autograd/kernels/index_loops.h"
#include "autograd/kernels/scratch.h"
#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/attention.h"
#include "autograd/ops/cached_attention.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/dropout.h"
#include "autograd/ops/heads.h"
#include "autograd/ops/index.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/norm.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/rotary.h"
#include "autograd/ops/selection.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/token_shift.h"
#include "autograd/ops/views.h"
#include "tests/autograd/expect.h"

using namespace gradus;
using namespace gradus::detail;

namespace {

constexpr Index kHuge = INT64_MAX;
constexpr Index kLeast = INT64_MIN;
constexpr int kHugeInt = INT32_MAX;
constexpr int kLeastInt = INT32_MIN;
constexpr Index k2To31 = Index{1} << 31;

/// A call that must fail, and the op's name, with which the error must begin.
struct WrongCall {
  std::string op, text;
  std::function<void()> call;
};

#define WRONG(op, ...)                                       \
  WrongCall {                                                \
    op, #__VA_ARGS__, [] { static_cast<void>(__VA_ARGS__); } \
  }

/// Checks that the call throws std::invalid_argument with a message that begins with the op's name.
void check_refused(const WrongCall& wrong) {
  CAPTURE(wrong.text);
  try {
    wrong.call();
    FAIL_CHECK("no error");
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    CAPTURE(message);
    CHECK(message.starts_with(wrong.op + ": "));
  } catch (const std::exception& error) {
    const std::string message = error.what();
    FAIL_CHECK(message);
  }
}

void check_refused(const std::vector<WrongCall>& calls) {
  for (const WrongCall& wrong : calls) {
    check_refused(wrong);
  }
}

Tensor attend(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionOptions& options) {
  return scaled_dot_product_attention(q, k, v, options);
}

Tensor attend_cached(const std::function<void(KvCache&)>& change) {
  KvCache cache(1, 1, 4, 2);
  change(cache);
  return cached_self_attention(ones({1, 1, 6}), cache);
}

/// Checks that the gradient of sum(f(x)) has x's shape and no elements.
void check_empty_gradient(const Tensor& x, const std::function<Tensor(const Tensor&)>& f) {
  CHECK(gradient_of(f, x).shape() == x.shape());
}

}  // namespace

TEST_CASE("hostile: views, slices and shapes") {
  check_refused({
      WRONG("index", ones({3})[kHuge]),
      WRONG("index", ones({3})[kLeast]),
      WRONG("index", (ones({3})[{{kLeast, kHuge}}])),
      WRONG("index", (ones({3})[{{kLeast, kLeast}}])),
      WRONG("index", (ones({3})[{{0, kHuge - 1}}])),
      WRONG("index", zeros({0})[0]),
      WRONG("index", (ones({1})[{0, 0}])),
      WRONG("at", ones({3}).at({kHuge})),
      WRONG("at", ones({3}).at({kLeast})),
      WRONG("size", ones({3}).size(kHugeInt)),
      WRONG("slice", slice(ones({3}), 0, kHuge, kHuge)),
      WRONG("slice", slice(ones({3}), 0, kLeast, kLeast)),
      WRONG("slice", slice(ones({3}), kLeastInt, 0)),
      WRONG("split", split(ones({4}), 0, 0)),
      WRONG("split", split(ones({4}), kLeast, 0)),
      WRONG("split", split(ones({4}), kHuge, 0)),
      WRONG("split_sizes", split_sizes(ones({4}), {kHuge, kHuge, 6}, 0)),
      WRONG("split_sizes", split_sizes(ones({4}), {5, -1}, 0)),
      WRONG("pad", pad(ones({1}), 0, kHuge, 0)),
      WRONG("pad", pad(ones({1}), 0, kHuge, kHuge)),
      WRONG("pad", pad(ones({1}), 0, kLeast, kHuge)),
      WRONG("pad", pad(zeros({0, 2, kHuge / 4}), 1, 3, 3)),
      WRONG("squeeze", squeeze(ones({2}), kHugeInt)),
      WRONG("unsqueeze", unsqueeze(ones({2}), kHugeInt)),
      WRONG("unsqueeze", unsqueeze(ones({2}), kLeastInt)),
      WRONG("unsqueeze", unsqueeze(ones({1, 1, 1, 1, 1, 1, 1, 1}), 0)),
      WRONG("flatten", flatten(ones({2, 2}), kLeastInt, kHugeInt)),
      WRONG("reshape", reshape(ones({4}), {kHuge, kHuge, -1})),
      WRONG("reshape", reshape(ones({4}), {kLeast})),
      WRONG("reshape", reshape(zeros({0}), {0, -1})),
      WRONG("reshape", reshape(ones({4}), Shape{kHuge})),
      WRONG("reshape", indices({1, 2}).reshape(Shape{kHuge})),
      WRONG("transpose", transpose(ones({2, 2}), kLeastInt, kHugeInt)),
      WRONG("permute", permute(ones({2, 2}), {kLeastInt, kHugeInt})),
      WRONG("concat", concat({zeros({0, kHuge}), zeros({0, kHuge})}, 1)),
      WRONG("concat", concat({zeros({0, kHuge}), zeros({kHuge, 0})}, kHugeInt)),
      WRONG("stack", stack({zeros({0, kHuge}), zeros({0, kHuge})}, 0)),
      WRONG("stack", stack({ones({2}), ones({2})}, kHugeInt)),
      WRONG("broadcast_to", broadcast_to(ones({2}), {kHuge})),
      WRONG("sum_to", sum_to(ones({2}), {kHuge})),
      WRONG("tensor", Tensor(ones({4}), Shape{2}, kHuge)),
      WRONG("tensor", Tensor(ones({4}), Shape{2}, kLeast)),
      WRONG("tensor", Tensor(ones({4}), Shape{kHuge}, 3)),
      WRONG("tensor", tensor(Shape{kHuge}, {1})),
      WRONG("indices", IndexTensor(Shape{kHuge}, std::vector<std::int32_t>{1})),
      WRONG("arange", arange(kHuge)),
      WRONG("arange", arange(kLeast)),
      WRONG("shape", Shape{kHuge, 2}),
      WRONG("shape", Shape{kLeast}),
  });
}

TEST_CASE("hostile: arithmetic, reductions and products") {
  check_refused({
      WRONG("add", zeros({0, k2To31, 1, 4}) + zeros({0, 1, k2To31, 1})),
      WRONG("mul", zeros({0, k2To31, 1, 4}) * zeros({0, 1, k2To31, 1})),
      WRONG("maximum", maximum(ones({2}), ones({3}))),
      WRONG("minimum", minimum(ones({2}), ones({3}))),
      WRONG("clamp", clamp(ones({2}), kNaN, 1)),
      WRONG("clamp", clamp(ones({2}), 2, 1)),
      WRONG("sum", sum(ones({2}), kLeastInt)),
      WRONG("mean", mean(ones({2}), kHugeInt)),
      WRONG("mean", mean(zeros({0, kHuge}))),
      WRONG("max", max(zeros({0, kHuge}))),
      WRONG("min", min(zeros({0, kHuge}))),
      WRONG("variance", variance(zeros({0, kHuge}))),
      WRONG("cumsum", cumsum(ones({2}), kHugeInt)),
      WRONG("mse_loss", mse_loss(zeros({0, kHuge}), zeros({0, kHuge}))),
      WRONG("matmul", matmul(zeros({kHuge, 0}), zeros({0, kHuge}))),
      WRONG("matmul", matmul(zeros({0, kHuge}), zeros({2, 0}))),
      WRONG("linear", linear(zeros({kHuge, 0}), zeros({0, kHuge}))),
      WRONG("linear", linear(ones({2}), ones({2, 3}), ones({2}))),
      WRONG("argmax", argmax(ones({2}), kHugeInt)),
      WRONG("argmax", argmax(zeros({0, kHuge}), 1)),
      WRONG("topk", topk(ones({3}), kHuge)),
      WRONG("topk", topk(ones({3}), kLeast)),
      WRONG("topk", topk(zeros({0, kHuge}), 1)),
      WRONG("one_hot", one_hot(indices({0}), kLeast)),
      WRONG("one_hot", one_hot(IndexTensor(Shape{0, kHuge}), kHuge)),
      WRONG("embedding", embedding(IndexTensor(Shape{0, kHuge}), zeros({0, kHuge / 8}))),
      WRONG("embedding", embedding(indices({INT32_MAX}), ones({3, 2}))),
      WRONG("embedding", embedding(indices({INT32_MIN}), ones({3, 2}))),
      WRONG("gather", gather(ones({3}), kHugeInt, indices({0}))),
      WRONG("gather", gather(ones({3}), 0, indices({INT32_MIN}))),
      WRONG("where", where(indices({1, 1}), ones({3}), ones({3}))),
      WRONG("masked_fill", masked_fill(ones({2}), IndexTensor(Shape{kHuge, 0}), 0)),
      WRONG("greater", greater(ones({2}), ones({3}))),
      WRONG("less", less(ones({2}), ones({3}))),
      WRONG("equal", equal(ones({2}), ones({3}))),
      WRONG("causal_mask", causal_mask(kHuge)),
      WRONG("causal_mask", causal_mask(kLeast, kHuge)),
      WRONG("softmax", softmax(ones({2}), kLeastInt)),
      WRONG("log_softmax", log_softmax(ones({2}), kHugeInt)),
      WRONG("cross_entropy", cross_entropy(ones({1, 3}), indices({INT32_MAX}))),
      WRONG("cross_entropy", cross_entropy(ones({1, 3}), indices({INT32_MIN}))),
      WRONG("uniform", uniform({2}, {}, kNaN, 1)),
      WRONG("uniform", uniform({2}, {}, -kInf, kInf)),
      WRONG("normal", normal({2}, {}, 0, kNaN)),
      WRONG("normal", normal({2}, {}, kInf, 1)),
      WRONG("uniform_index", uniform_index({}, kLeast, kLeast)),
      WRONG("permutation", permutation(kLeast, {})),
      WRONG("permutation", permutation(kHuge, {})),
  });
}

TEST_CASE("hostile: heads, rotary positions, attention and its cache") {
  check_refused({
      WRONG("split_heads", split_heads(ones({1, 1, 6}), kHuge)),
      WRONG("split_heads", split_heads(ones({1, 1, 6}), kLeast)),
      WRONG("repeat_heads", repeat_heads(ones({1, 1, 1, 6}), kHuge)),
      WRONG("repeat_heads", repeat_heads(ones({1, 1, 1, 6}), 0)),
      WRONG("causal_mask", causal_mask(2, 2, kLeast)),
      WRONG("packed_self_attention", packed_self_attention(ones({1, 1, 6}), 4, {}, kHugeInt)),
      WRONG("packed_self_attention", packed_self_attention(ones({1, 1, 6}), 4, {}, kLeastInt)),
      WRONG("join_heads", join_heads(ones({1, 1, 6}))),
      WRONG("packed_self_attention", packed_self_attention(ones({1, 1, 6}), 715827883)),
      WRONG("packed_self_attention", packed_self_attention(ones({1, 1, 6}), 1431655766)),
      WRONG("packed_self_attention", packed_self_attention(ones({1, 1, 6}), kHugeInt)),
      WRONG("packed_self_attention", packed_self_attention(ones({1, 1, 6}), kLeastInt)),
      WRONG("packed_self_attention", packed_self_attention(zeros({1, 2 * k2To31, 0}), 1)),
      WRONG("packed_self_attention", packed_self_attention(zeros({kHuge, 1, 0}), 1)),
      WRONG("packed_rotary", packed_rotary(ones({1, 1, 6}), 715827883, rotary_table(3, 2))),
      WRONG("packed_rotary", packed_rotary(ones({1, 1, 6}), 1431655766, rotary_table(3, 2))),
      WRONG("packed_rotary", packed_rotary(ones({1, 1, 6}), kHugeInt, rotary_table(3, 2))),
      WRONG("packed_rotary", packed_rotary(ones({1, 2, 6}), 1, rotary_table(3, 2), kHuge)),
      WRONG("rotary", rotary(ones({1, 2, 4}), rotary_table(3, 4), kHuge)),
      WRONG("rotary", rotary(ones({1, 2, 4}), rotary_table(3, 4), kHuge - 1)),
      WRONG("rotary", rotary(ones({1, 2, 4}), rotary_table(3, 4), kLeast)),
      WRONG("rotary", rotary(ones({1, 4, 4}), rotary_table(3, 4), 0)),
      WRONG("rotary_table", rotary_table(kHuge, 4)),
      WRONG("rotary_table", rotary_table(kLeast, 4)),
      WRONG("rotary_table", rotary_table(3, kLeast)),
      WRONG("rotary_table", rotary_table(3, 4, kNaN)),
      WRONG("rotary_table", rotary_table(3, 4, -1)),
      WRONG("rotary_table", rotary_table(3, 4, kInf)),
      WRONG("token_shift", token_shift(ones({2, 3}), {kHuge, kHuge, 5, 0})),
      WRONG("token_shift", token_shift(ones({2, 3}), {kHuge, 0, 0, 0})),
      WRONG("token_shift", token_shift(ones({2, 3}), {kLeast, kLeast, 3, 0})),
      WRONG("halving_widths", halving_widths(-1)),
      WRONG("batch_row", batch_row(ones({2, 2}), kHuge)),
      WRONG("batch_row", batch_row(zeros({0, 2}), 0)),
      WRONG("kv_cache", KvCache(kHuge, kHugeInt, 1, 1)),
      WRONG("kv_cache", KvCache(1, -1, 1, 1)),
      WRONG("cached_self_attention", attend_cached([](KvCache& c) { c.length = kHuge; })),
      WRONG("cached_self_attention", attend_cached([](KvCache& c) { c.length = -1; })),
      WRONG("cached_self_attention", attend_cached([](KvCache& c) { c.length = 4; })),
      WRONG("cached_self_attention", attend_cached([](KvCache& c) {
              c.values = ones({1, 1, 1, 1});
            })),
      WRONG("cached_self_attention", attend_cached([](KvCache& c) {
              c.keys = ones({4, 2});
            })),
      WRONG("cached_self_attention", attend_cached([](KvCache& c) {
              c.keys = c.values = zeros({1, 2, 0, kHuge / 2});
            })),
      WRONG("scaled_dot_product_attention",
            attend(zeros({2 * k2To31, 0}), zeros({2 * k2To31, 0}), zeros({2 * k2To31, 0}), {})),
      WRONG("scaled_dot_product_attention",
            attend(zeros({0, k2To31, 1}), zeros({0, 1, 1}), zeros({0, 1, 2 * k2To31}), {})),
      WRONG("scaled_dot_product_attention",
            attend(zeros({kHuge, 1, 0}), zeros({kHuge, 1, 0}), zeros({kHuge, 1, 0}), {})),
      WRONG("scaled_dot_product_attention", attend(ones({2, 2}), ones({2}), ones({2, 2}), {})),
      WRONG("attention_weights", attention_weights(zeros({2 * k2To31, 0}), zeros({2 * k2To31, 0}))),
  });
}

TEST_CASE("hostile: options that are no numbers, infinite or of the wrong sign") {
  const std::vector<Scalar> wrong{kNaN, kInf, -kInf, -1};
  const auto check_options = [&](const char* op, const std::function<void(Scalar)>& call) {
    for (const Scalar value : wrong) {
      check_refused({op, text(op, " with ", value), [&] { call(value); }});
    }
  };
  const Tensor x = ones({2, 3}), w = ones({3}), packed = ones({1, 1, 6});
  check_options("layer_norm", [&](Scalar v) { layer_norm(x, w, w, v); });
  check_options("rms_norm", [&](Scalar v) { rms_norm(x, w, v); });
  check_options("dropout", [&](Scalar v) { dropout(x, v, {}); });
  check_options("cross_entropy", [&](Scalar v) {
    cross_entropy(x, indices({0, 1}), {.label_smoothing = v});
  });
  check_options("scaled_dot_product_attention", [&](Scalar v) { attend(x, x, x, {.scale = v}); });
  check_options("scaled_dot_product_attention", [&](Scalar v) { attend(x, x, x, {.dropout = v}); });
  check_options("attention_weights", [&](Scalar v) { attention_weights(x, x, {.scale = v}); });
  check_options("attention_weights", [&](Scalar v) { attention_weights(x, x, {.dropout = v}); });
  check_options("packed_self_attention",
                [&](Scalar v) { packed_self_attention(packed, 1, {.scale = v}); });
  check_options("packed_self_attention",
                [&](Scalar v) { packed_self_attention(packed, 1, {.dropout = v}); });
  check_options("rotary_table", [&](Scalar v) { rotary_table(2, 2, v); });
  check_options("normal", [&](Scalar v) { normal({2}, {}, 0, v); });
}

TEST_CASE("hostile: an epsilon of 0 is allowed, and a scale of 0 stands for the default") {
  CHECK_CLOSE(layer_norm(tensor({1, 3}), ones({2}), Tensor(), 0), tensor({-1, 1}));
  CHECK_CLOSE(rms_norm(tensor({3, 3}), Tensor(), 0), tensor({1, 1}));
  const Tensor x = drawn({3, 4}, 0);
  CHECK_CLOSE(attend(x, x, x, {.scale = 0}), attend(x, x, x, {.scale = Scalar(0.5)}));
}

TEST_CASE("hostile: tensors without elements have huge axes, gradients and no loop over these") {
  const Tensor wide = zeros({0, kHuge}), tall = zeros({kHuge, 0});
  check_empty_gradient(wide, [](const Tensor& x) { return softmax(x) + log_softmax(x); });
  check_empty_gradient(wide, [](const Tensor& x) { return softmax(x, 0); });
  check_empty_gradient(wide, [](const Tensor& x) { return cumsum(x, 0) + cumsum(x, 1); });
  check_empty_gradient(wide, [](const Tensor& x) { return rms_norm(x) + sum(x); });
  check_empty_gradient(wide, [](const Tensor& x) { return cross_entropy(x, IndexTensor({0})); });
  check_empty_gradient(tall, [](const Tensor& x) { return sum(x, 0) + max(x, 0) + mean(x, 0); });
  check_empty_gradient(tall, [](const Tensor& x) { return min(x, 0) + variance(x, 0); });
  check_empty_gradient(
      tall, [](const Tensor& x) { return slice(x, 1, 0, 0) + slice(x, 0, 0) + pad(x, 1, 0, 0); });
  check_empty_gradient(tall, [](const Tensor& x) { return embedding(indices({3, 0}), x); });
  check_empty_gradient(wide, [](const Tensor& x) {
    return embedding(IndexTensor(Shape{0}), reshape(x, {0, kHuge}));
  });
  check_empty_gradient(zeros({kHuge, 0, 0}), [](const Tensor& x) { return matmul(x, x); });
  check_empty_gradient(zeros({kHuge / 2, 0, 0}),
                       [](const Tensor& x) { return attend(x, x, x, {}); });
  check_empty_gradient(zeros({0, k2To31, k2To31}),
                       [](const Tensor& x) { return attend(x, x, x, {}); });
  CHECK(causal_mask(kHuge, 0).size() == 0);
  CHECK(causal_mask(0, kHuge).size() == 0);
  CHECK(rotary_table(kHuge, 0).shape() == Shape{kHuge, 0});
  CHECK(text(tall).size() < 200);
  CHECK(text(wide).size() < 200);
}

TEST_CASE("hostile: no memory is an error that names shape, size and remedy") {
  constexpr Index kTooMany = Index{1} << 60;  // more bytes than the allocator requests
  const auto check_message = [](const std::string& what, const auto& call) {
    try {
      call();
      FAIL_CHECK("no error");
    } catch (const std::bad_alloc& error) {
      CHECK(std::string(error.what()) == what);
    }
  };
  const auto expected = [](const char* shape, const char* of_float, const char* of_double) {
    return text("tensor: no memory for shape ", shape, ", which takes ",
                kIsDouble ? of_double : of_float, " GiB (choose smaller sizes)");
  };
  const std::string two_axes = expected("[2, 1152921504606846976]", "8.58993e+09", "1.71799e+10");
  check_message(two_axes, [] { zeros({2, kTooMany}); });
  check_message(two_axes, [] { broadcast_to(ones({1}), {2, kTooMany}); });
  const std::string most = expected("[9223372036854775807]", "3.43597e+10", "6.87195e+10");
  check_message(most, [] { Tensor x(Shape{kHuge}); });
  check_message(
      "tensor: no memory for shape [9223372036854775807], which takes 3.43597e+10 GiB (choose "
      "smaller sizes)",
      [] { IndexTensor x(Shape{kHuge}); });
  CHECK_THROWS_AS(Scratch{kHuge}, std::bad_alloc);
  CHECK_THROWS_AS(Scratch{k2To31 * k2To31}, std::bad_alloc);
}
