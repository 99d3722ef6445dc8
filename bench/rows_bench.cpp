/// @file
/// Benchmarks of ops along rows, reductions, lookups and rearranging copies.

#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/index.h"
#include "autograd/ops/norm.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "bench/op_bench.h"

namespace gradus {
namespace {

using Inputs = std::vector<Tensor>;

/// Adds an op of one tensor.
void add(const std::string& name, const Shape& shape, std::function<Tensor(const Tensor&)> op,
         Backward backward) {
  register_op(
      {name, {shape}, [op = std::move(op)](const Inputs& x) { return op(x[0]); }, backward});
}

void add_layer_norm(const std::string& size, const Shape& shape) {
  register_op({"layer_norm" + size, {shape, {shape[-1]}, {shape[-1]}}, [](const Inputs& x) {
                 return layer_norm(x[0], x[1], x[2]);
               }});
}

void register_at(const Sizes& s) {
  const std::string size = "/" + s.name;
  const Shape stream{s.batch_size, s.block_size, s.n_embd};
  const Shape heads{s.batch_size, s.block_size, s.n_head, s.head_width()};
  const Shape scores{s.batch_size, s.n_head, s.block_size, s.block_size};
  const IndexTensor tokens = random_tokens({s.batch_size, s.block_size}, s.vocab_size);
  const auto from_inputs = Backward::kFromInputs;
  const auto from_gradient = Backward::kFromGradient;

  const auto on_rows = [](auto op) { return [op](const Tensor& x) { return op(x, -1); }; };
  add("softmax" + size, scores, on_rows(softmax), from_inputs);
  add("log_softmax" + size, scores, on_rows(log_softmax), from_inputs);
  add_layer_norm(size, stream);
  add(
      "cross_entropy" + size, tokens.shape().append(s.vocab_size),
      [tokens](const Tensor& x) { return cross_entropy(x, tokens); }, from_inputs);
  // The bytes include the whole table, although the forward pass reads only some rows.
  add(
      "embedding" + size, {s.vocab_size, s.n_embd},
      [tokens](const Tensor& table) { return embedding(tokens, table); }, from_gradient);

  const auto over = [](auto op, const Axes& axes) {
    return [op, axes](const Tensor& x) { return op(x, axes, ReduceOptions{}); };
  };
  add("sum_all" + size, stream, over(sum, {}), from_gradient);
  add("sum_rows" + size, stream, over(sum, -1), from_gradient);
  add("sum_columns" + size, stream, over(sum, {0, 1}), from_gradient);
  add("max_rows" + size, stream, over(max, -1), from_inputs);
  add("variance_rows" + size, stream, over(variance, -1), from_inputs);

  add(
      "transpose" + size, {s.n_embd, 4 * s.n_embd}, [](const Tensor& x) { return transpose(x); },
      from_gradient);
  add(
      "permute_heads" + size, heads,
      [](const Tensor& x) {
        return permute(x, {0, 2, 1, 3});
      },
      from_gradient);
}

}  // namespace

void register_rows() {
  for (const Sizes& s : kSizes) {
    register_at(s);
  }
  add_layer_norm("/large", {4096, 4096});
}

}  // namespace gradus
