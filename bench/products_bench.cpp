/// @file
/// Benchmarks of matrix products: every linear layer of each size, batched products, and attention,
/// fused and composed.

#include "autograd/ops/attention.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/two_paths.h"
#include "bench/op_bench.h"

namespace gradus {
namespace {

using Inputs = std::vector<Tensor>;

void add(const std::string& name, const std::vector<Shape>& inputs, double flops,
         std::function<Tensor(const Inputs&)> op) {
  register_op({name, inputs, std::move(op), Backward::kFromInputs, flops});
}

void add_linear(const std::string& name, Index rows, Index in, Index out) {
  const double flops = 2.0 * static_cast<double>(rows) * static_cast<double>(in * out);
  add(name, {{rows, in}, {in, out}}, flops, [](const Inputs& x) { return linear(x[0], x[1]); });
}

void register_at(const Sizes& s) {
  const std::string size = "/" + s.name;
  const Index n = s.tokens(), c = s.n_embd;
  add_linear("linear_qkv" + size, n, c, 3 * c);
  add_linear("linear_proj" + size, n, c, c);
  add_linear("linear_up" + size, n, c, 4 * c);
  add_linear("linear_down" + size, n, 4 * c, c);
  const auto by_transposed = [](const Inputs& x) { return matmul(x[0], x[1], {.b = true}); };
  add("matmul_head" + size, {{n, c}, {s.vocab_size, c}},
      2.0 * static_cast<double>(n) * static_cast<double>(c * s.vocab_size), by_transposed);

  // The operations of attention are counted for all T x T pairs, causal or not.
  const Shape heads{s.batch_size, s.n_head, s.block_size, s.head_width()};
  const double scores = 2.0 * static_cast<double>(n) * static_cast<double>(c * s.block_size);
  const AttentionOptions causal{.causal = true};
  add("matmul_scores" + size, {heads, heads}, scores, by_transposed);
  add("attention_packed" + size, {{s.batch_size, s.block_size, 3 * c}}, 2 * scores,
      [causal, count = s.n_head](const Inputs& x) {
        return packed_self_attention(x[0], count, causal);
      });
  AttentionOptions dropped = causal;
  dropped.dropout = Scalar(0.2);
  add("attention_dropped" + size, {{s.batch_size, s.block_size, 3 * c}}, 2 * scores,
      [dropped, count = s.n_head](const Inputs& x) {
        return packed_self_attention(x[0], count, dropped);
      });
  add("attention_fused" + size, {heads, heads, heads}, 2 * scores,
      [causal](const Inputs& x) { return scaled_dot_product_attention(x[0], x[1], x[2], causal); });
  add("attention_composed" + size, {heads, heads, heads}, 2 * scores, [causal](const Inputs& x) {
    const ComposedOps composed;
    return scaled_dot_product_attention(x[0], x[1], x[2], causal);
  });
}

}  // namespace

void register_products() {
  for (const Sizes& s : kSizes) {
    register_at(s);
  }
  register_at({"train", 4, 4, 128, 128, 16, 2048});  // about the default run's sizes
  for (const Index n : {64, 256, 512, 1024, 2048}) {
    add_linear("square/" + std::to_string(n), n, n, n);
  }
}

}  // namespace gradus
