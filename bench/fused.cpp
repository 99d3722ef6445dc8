/// @file
/// Measures the gain of fused kernels in a training step: times the same step with some kernels
/// replaced with elementary ops. All variants share one model and take turns, so that noise affects
/// all of them equally.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <limits>
#include <optional>

#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/attention.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/heads.h"
#include "autograd/ops/index.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/norm.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/two_paths.h"
#include "bench/workload.h"
#include "cli/program/prepare_process.h"

namespace gradus {
namespace {

/// The kernels for the attention of a block.
enum class Attention {
  kPacked,    // packed_self_attention()
  kSeparate,  // heads split into copies, then scaled_dot_product_attention()
  kComposed,  // heads split into copies, then attention in elementary ops
};

/// The parts that use elementary ops in place of the model's fused ones.
struct Variant {
  const char* name;
  Attention attention = Attention::kPacked;
  bool norm = false;
  bool gelu = false;
  bool loss = false;
};

constexpr Variant kVariants[] = {
    {.name = "as it is"},
    {.name = "heads copied apart", .attention = Attention::kSeparate},
    {.name = "attention composed", .attention = Attention::kComposed},
    {.name = "layer_norm composed", .norm = true},
    {.name = "gelu composed", .gelu = true},
    {.name = "cross_entropy composed", .loss = true},
    {.name = "all composed",
     .attention = Attention::kComposed,
     .norm = true,
     .gelu = true,
     .loss = true},
};

/// Returns op(), computed from elementary ops if `composed`.
template <class Op>
Tensor by_path(bool composed, Op op) {
  std::optional<ComposedOps> scope;
  if (composed) {
    scope.emplace();
  }
  return op();
}

Tensor norm(const Norm& norm, const Tensor& x, const Variant& variant) {
  return by_path(variant.norm, [&] { return std::get<LayerNorm>(norm.kind)(x); });
}

/// Equal to layer(x) without dropout.
Tensor attend(const CausalSelfAttention& layer, const Tensor& x, const Variant& variant) {
  if (variant.attention == Attention::kPacked) {
    return layer(x);
  }
  std::vector<Tensor> parts = split(layer.c_attn(x), 3, -1);
  for (Tensor& part : parts) {
    part = split_heads(part, layer.num_heads);
  }
  const Tensor y = by_path(variant.attention == Attention::kComposed, [&] {
    return scaled_dot_product_attention(parts[0], parts[1], parts[2], {.causal = true});
  });
  return layer.c_proj(join_heads(y));
}

/// Equal to gpt.loss() for a model with GPT-2's parts.
Tensor loss_of(const Gpt& gpt, const IndexTensor& tokens, const IndexTensor& targets,
               const Variant& variant) {
  Tensor x = gpt.wte(tokens) + slice(gpt.wpe.weight, 0, 0, tokens.size(1));
  for (const Block& block : gpt.h) {
    x = x + attend(block.attn, norm(block.ln_1, x, variant), variant);
    const Tensor hidden = block.mlp.c_fc(norm(block.ln_2, x, variant));
    x = x + block.mlp.c_proj(by_path(variant.gelu, [&] { return gelu(hidden); }));
  }
  const Tensor logits = gpt.logits(norm(gpt.ln_f, x, variant));
  return by_path(variant.loss, [&] { return cross_entropy(logits, targets); });
}

/// Returns the milliseconds of one step.
double time_step(TrainingStep& step, const Variant& variant) {
  step.draw();
  const auto start = std::chrono::steady_clock::now();
  step.learn_from(loss_of(step.gpt, step.inputs, step.targets, variant));
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  return time.count();
}

void run(const TimingOptions& options) {
  TrainingStep step(options.sizes);
  std::array<double, std::size(kVariants)> best;
  best.fill(std::numeric_limits<double>::infinity());
  for (int round = -1; round < options.steps; ++round) {  // round -1 is a warm-up
    for (std::size_t i = 0; i < best.size(); ++i) {
      time_step(step, kVariants[i]);  // its memory is still the previous variant's
      const double time = time_step(step, kVariants[i]);
      best[i] = round < 0 ? best[i] : std::min(best[i], time);
    }
  }
  nlohmann::ordered_json result;
  for (std::size_t i = 0; i < best.size(); ++i) {
    result[kVariants[i].name] = best[i];
    if (!options.json) {
      std::printf("%-24s %9.2f ms  %5.2f\n", kVariants[i].name, best[i], best[i] / best[0]);
    }
  }
  if (options.json) {
    std::printf("%s\n", result.dump().c_str());
  }
}

}  // namespace
}  // namespace gradus

int main(int argc, char** argv) {
  gradus::prepare_process(argv);
  gradus::run(gradus::parse_timing_options(
      argc, argv, "Times a training step with fused kernels taken apart; best of --steps rounds."));
}
