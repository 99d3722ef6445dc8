// Calls every op with each argument undefined in turn. Such a call once ended the program with a
// signal.

#include <doctest/doctest.h>

#include <initializer_list>
#include <stdexcept>
#include <vector>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/index_tensor.h"
#include "autograd/inspect/draw.h"
#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/attention.h"
#include "autograd/ops/cached_attention.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/dropout.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/heads.h"
#include "autograd/ops/index.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/narrow.h"
#include "autograd/ops/norm.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/rotary.h"
#include "autograd/ops/selection.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/token_shift.h"
#include "autograd/ops/views.h"
#include "autograd/tensor.h"

using namespace gradus;
using namespace gradus::detail;

namespace {

// `what` is "op: argument".
#define REFUSES(expression, what)                                                           \
  CHECK_THROWS_WITH_AS(static_cast<void>(expression),                                       \
                       what                                                                 \
                       " is undefined (a default-constructed Tensor, or a gradient before " \
                       "backward())",                                                       \
                       std::invalid_argument)
#define REFUSES_INDICES(expression, what)                                        \
  CHECK_THROWS_WITH_AS(static_cast<void>(expression),                            \
                       what " is undefined (a default-constructed IndexTensor)", \
                       std::invalid_argument)

const Tensor none;
const IndexTensor no_indices;

}  // namespace

TEST_CASE("undefined: a gradient before backward()") {
  const Tensor w = ones({2}).set_requires_grad();
  REFUSES(w - w.grad(), "sub: b");
  REFUSES(w.grad().item(), "item: the tensor");
}

TEST_CASE("undefined: every method of a tensor") {
  Tensor u;
  CHECK(!u.defined());
  CHECK(!u.detach().defined());
  CHECK(!u.sole_owner());
  REFUSES(u.shape(), "shape: the tensor");
  REFUSES(u.rank(), "rank: the tensor");
  REFUSES(u.size(), "size: the tensor");
  REFUSES(u.size(0), "size: the tensor");
  REFUSES(u.data(), "data: the tensor");
  REFUSES(u.mutable_data(), "mutable_data: the tensor");
  REFUSES(u.version(), "version: the tensor");
  REFUSES(u.begin(), "begin: the tensor");
  REFUSES(u.end(), "end: the tensor");
  REFUSES(u.item(), "item: the tensor");
  REFUSES(u.at({0}), "at: the tensor");
  REFUSES(u.values(), "values: the tensor");
  REFUSES(u.requires_grad(), "requires_grad: the tensor");
  REFUSES(u.set_requires_grad(), "set_requires_grad: the tensor");
  REFUSES(u.set_requires_grad(false), "set_requires_grad: the tensor");
  REFUSES(u.grad(), "grad: the tensor");
  REFUSES(u.zero_grad(), "zero_grad: the tensor");
  REFUSES(u.set_grad(ones({1})), "set_grad: the tensor");
  REFUSES(Tensor(u, {}), "tensor: x");
  REFUSES(u.clone(), "clone: the tensor");
  REFUSES(u.node(), "node: the tensor");
  CHECK(text(u, ' ', no_indices) == "undefined undefined");
}

TEST_CASE("undefined: every method of an index tensor") {
  const IndexTensor u;
  CHECK(!u.defined());
  REFUSES_INDICES(u.shape(), "shape: the index tensor");
  REFUSES_INDICES(u.rank(), "rank: the index tensor");
  REFUSES_INDICES(u.size(), "size: the index tensor");
  REFUSES_INDICES(u.size(0), "size: the index tensor");
  REFUSES_INDICES(u.data(), "data: the index tensor");
  REFUSES_INDICES(u.mutable_data(), "mutable_data: the index tensor");
  REFUSES_INDICES(u.version(), "version: the index tensor");
  REFUSES_INDICES(u.begin(), "begin: the index tensor");
  REFUSES_INDICES(u.end(), "end: the index tensor");
  REFUSES_INDICES(u.values(), "values: the index tensor");
  REFUSES_INDICES(u.reshape({1}), "reshape: the index tensor");
}

TEST_CASE("undefined: passes") {
  const Tensor x = ones({}).set_requires_grad();
  REFUSES(backward(none), "backward: output");
  REFUSES(grad({none}, {x}), "grad: outputs[0]");
  REFUSES(grad({x * 2}, {x, none}), "grad: inputs[1]");
  REFUSES(draw_graph(none), "draw_graph: y");
}

TEST_CASE("undefined: arithmetic, functions and activations") {
  const Tensor x = ones({2});
  REFUSES(none + x, "add: a");
  REFUSES(x + none, "add: b");
  REFUSES(none - x, "sub: a");
  REFUSES(x - none, "sub: b");
  REFUSES(none * x, "mul: a");
  REFUSES(x * none, "mul: b");
  REFUSES(none / x, "div: a");
  REFUSES(x / none, "div: b");
  REFUSES(none + 1, "add: x");
  REFUSES(1 + none, "add: x");
  REFUSES(none - 1, "sub: x");
  REFUSES(1 - none, "sub: x");
  REFUSES(none * 2, "mul: x");
  REFUSES(2 * none, "mul: x");
  REFUSES(none / 2, "div: x");
  REFUSES(2 / none, "div: x");
  REFUSES(-none, "neg: x");
  REFUSES(abs(none), "abs: x");
  REFUSES(maximum(none, x), "maximum: a");
  REFUSES(maximum(x, none), "maximum: b");
  for (Scalar exponent : {1, 2, 3}) REFUSES(pow(none, exponent), "pow: x");
  REFUSES(exp(none), "exp: x");
  REFUSES(log(none), "log: x");
  REFUSES(sqrt(none), "sqrt: x");
  REFUSES(sin(none), "sin: x");
  REFUSES(cos(none), "cos: x");
  REFUSES(clamp(none, 0, 1), "clamp: x");
  REFUSES(minimum(none, x), "minimum: a");
  REFUSES(minimum(x, none), "minimum: b");
  Tensor y, z = ones({2});
  REFUSES(y += x, "+=: y");
  REFUSES(y -= 1, "-=: y");
  REFUSES(y *= x, "*=: y");
  REFUSES(y /= 1, "/=: y");
  REFUSES(z += none, "add: b");
  REFUSES(tanh(none), "tanh: x");
  REFUSES(sigmoid(none), "sigmoid: x");
  REFUSES(relu(none), "relu: x");
  REFUSES(relu_squared(none), "relu_squared: x");
  REFUSES(gelu(none), "gelu: x");
  REFUSES(gelu_erf(none), "gelu_erf: x");
  REFUSES(silu(none), "silu: x");
}

TEST_CASE("undefined: reductions and shapes") {
  const Tensor x = ones({2});
  REFUSES(sum(none), "sum: x");
  REFUSES(mean(none), "mean: x");
  REFUSES(max(none), "max: x");
  REFUSES(min(none), "min: x");
  REFUSES(variance(none), "variance: x");
  REFUSES(cumsum(none, 0), "cumsum: x");
  REFUSES(mse_loss(none, x), "mse_loss: x");
  REFUSES(mse_loss(x, none), "mse_loss: target");
  REFUSES(sum_to(none, {1}), "sum_to: x");
  REFUSES(broadcast_to(none, {1}), "broadcast_to: x");
  REFUSES(reshape(none, Shape{1}), "reshape: x");
  REFUSES(reshape(none, {-1}), "reshape: x");
  REFUSES(squeeze(none, 0), "squeeze: x");
  REFUSES(unsqueeze(none, 0), "unsqueeze: x");
  REFUSES(flatten(none), "flatten: x");
  REFUSES(none[0], "index: x");
  REFUSES((none[{0, {1, 2}}]), "index: x");
  REFUSES(transpose(none), "transpose: x");
  REFUSES(permute(none, {0}), "permute: x");
  REFUSES(concat({none, x}, 0), "concat: tensors[0]");
  REFUSES(concat({x, x, none}, 0), "concat: tensors[2]");
  REFUSES(stack({none, x}, 0), "stack: tensors[0]");
  REFUSES(stack({x, none}, 0), "stack: tensors[1]");
  REFUSES(slice(none, 0, 0), "slice: x");
  REFUSES(split(none, 2, 0), "split: x");
  REFUSES(split_sizes(none, {1, 1}, 0), "split_sizes: x");
  REFUSES(pad(none, 0, 1, 1), "pad: x");
  REFUSES(split_heads(none, 2), "split_heads: x");
  REFUSES(repeat_heads(none, 2), "repeat_heads: x");
  REFUSES(join_heads(none), "join_heads: x");
}

TEST_CASE("undefined: products, selection and indexing") {
  const Tensor m = ones({2, 2});
  const IndexTensor ids = indices({0, 1});
  REFUSES(matmul(none, m), "matmul: a");
  REFUSES(matmul(m, none), "matmul: b");
  REFUSES(linear(none, m), "linear: x");
  REFUSES(linear(m, none), "linear: w");
  const NarrowMatrix narrow(WeightType::kInt8, ones({2, 2}));
  REFUSES(narrow_linear(none, narrow), "narrow_linear: x");
  REFUSES_INDICES(narrow_embedding(no_indices, narrow), "narrow_embedding: tokens");
  REFUSES(NarrowMatrix(WeightType::kInt8, none), "NarrowMatrix: x");
  REFUSES(narrow.set_rows(0, none), "set_rows: x");
  REFUSES_INDICES(where(no_indices, m, m), "where: condition");
  REFUSES(where(ids, none, m), "where: a");
  REFUSES(where(ids, m, none), "where: b");
  REFUSES(masked_fill(none, ids, 0), "masked_fill: x");
  REFUSES_INDICES(masked_fill(m, no_indices, 0), "masked_fill: mask");
  REFUSES(greater(none, m), "greater: a");
  REFUSES(greater(m, none), "greater: b");
  REFUSES(greater(none, 1), "greater: a");
  REFUSES(less(none, m), "less: a");
  REFUSES(less(m, none), "less: b");
  REFUSES(less(none, 1), "less: a");
  REFUSES(equal(none, m), "equal: a");
  REFUSES(equal(m, none), "equal: b");
  REFUSES(equal(none, 1), "equal: a");
  REFUSES_INDICES(embedding(no_indices, m), "embedding: tokens");
  REFUSES(embedding(ids, none), "embedding: table");
  REFUSES(gather(none, 0, ids), "gather: x");
  REFUSES_INDICES(gather(m, 0, no_indices), "gather: index");
  REFUSES(argmax(none), "argmax: x");
  REFUSES(topk(none, 1), "topk: x");
  REFUSES_INDICES(one_hot(no_indices, 2), "one_hot: index");
}

TEST_CASE("undefined: softmax, losses, norms and dropout") {
  const Tensor m = ones({2, 2}), row = ones({2});
  REFUSES(softmax(none), "softmax: x");
  REFUSES(log_softmax(none), "log_softmax: x");
  REFUSES(cross_entropy(none, indices({0, 1})), "cross_entropy: logits");
  REFUSES_INDICES(cross_entropy(m, no_indices), "cross_entropy: targets");
  REFUSES(layer_norm(none, row, row), "layer_norm: x");
  REFUSES(layer_norm(m, none, row), "layer_norm: weight");
  CHECK(layer_norm(m, row, none).defined());
  REFUSES(rms_norm(none, row), "rms_norm: x");
  CHECK(rms_norm(m, none).defined());
  REFUSES(dropout(none, 0, {}), "dropout: x");
  REFUSES(dropout(none, Scalar(0.5), {}), "dropout: x");
}

TEST_CASE("undefined: attention and what prepares it") {
  const Tensor x = ones({1, 2, 6}), heads = ones({1, 1, 2, 2});
  constexpr auto attention = scaled_dot_product_attention;
  REFUSES(attention(none, heads, heads, {}), "scaled_dot_product_attention: q");
  REFUSES(attention(heads, none, heads, {}), "scaled_dot_product_attention: k");
  REFUSES(attention(heads, heads, none, {}), "scaled_dot_product_attention: v");
  CHECK(attention(heads, heads, heads, {}).defined());
  REFUSES(packed_self_attention(none, 1), "packed_self_attention: qkv");
  REFUSES(attention_weights(none, heads), "attention_weights: q");
  REFUSES(attention_weights(heads, none), "attention_weights: k");
  KvCache cache(1, 1, 4, 2), empty;
  REFUSES(cached_self_attention(none, cache), "cached_self_attention: qkv");
  REFUSES(cached_self_attention(x, empty), "cached_self_attention: cache.keys");
  CHECK(!batch_row(none, 0).defined());
  REFUSES(rotary(none, rotary_table(2, 2)), "rotary: x");
  REFUSES(rotary(heads, none), "rotary: table");
  REFUSES(packed_rotary(none, 1, rotary_table(2, 2)), "packed_rotary: qkv");
  REFUSES(packed_rotary(x, 1, none), "packed_rotary: table");
  Tensor before = zeros({1, 3, 6});
  const ShiftWidths widths = halving_widths(6);
  REFUSES(token_shift(none, widths), "token_shift: x");
  REFUSES(cached_token_shift(none, widths, before), "cached_token_shift: x");
  Tensor nothing;
  REFUSES(cached_token_shift(x, widths, nothing), "cached_token_shift: before");
}
