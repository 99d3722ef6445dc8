#include "cli/plan.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/allocator.h"
#include "autograd/kernels/parallel_for.h"
#include "cli/display.h"
#include "cli/machine.h"
#include "nn/module.h"
#include "nn/optim/adamw.h"

namespace gradus {
namespace {

/// The program, its libraries and what they allocate for themselves.
constexpr double kProgramBytes = 24.0 * (1 << 20);

/// A forward pass takes a third of a training step.
constexpr double kForwardShare = 1.0 / 3;

/// Calibration batches have about so many tokens.
constexpr Index kCalibrationTokens = 2048;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The fastest of three training steps of this model, after one to warm up.
double time_of_step(const GptConfig& config, Index batch_size) {
  Gpt model(config);
  set_requires_grad(model, true);
  AdamW optimiser(parameters(model), {});
  const IndexTensor tokens({batch_size, config.n_positions});
  std::fill(tokens.begin(), tokens.end(), 0);
  double best = 1e9;
  for (std::uint32_t i = 0; i < 4; ++i) {
    const Training training(0, i);
    const double start = now();
    optimiser.zero_grad();
    backward(model.loss(tokens, tokens));
    optimiser.step(0);
    best = i == 0 ? best : std::min(best, now() - start);
  }
  return best;
}

}  // namespace

double memory_needed(const GptConfig& model, const TrainOptions& recipe, double text_bytes) {
  const double c = static_cast<double>(model.n_embd);
  const double v = static_cast<double>(model.vocab_size);
  const double n = static_cast<double>(recipe.batch_size) * static_cast<double>(model.n_positions);
  const double inner = static_cast<double>(model.inner());
  // A block keeps its input, two normed copies, the packed product (3), the heads' result, the
  // residual sums (2), and the hidden layer before and after its activation; where there are such,
  // two shifted copies and the packed product once more, turned.
  const double extra = (model.token_shift ? 2 : 0) + (model.position == Position::kRotary ? 3 : 0);
  const double kept =
      model.n_layer * ((9 + extra) * c + 2 * inner + 2.0 * model.n_head + 8) + 4 * c;
  // In passing, the gradients of the hidden layer and what feeds it; before that, logits and their
  // gradient.
  const double in_passing = std::max(2 * inner + 6 * c, 2 * v);
  // Value, gradient and two of AdamW; and the copies that are made to save and to load.
  const double weights = 6 * static_cast<double>(parameter_count(model));
  // The text, an int32 a token of at least one byte, and as much again while it is encoded.
  const double text = 9 * text_bytes;
  return kProgramBytes + sizeof(Scalar) * (n * (kept + in_passing) + weights) + text;
}

void check_memory(double needed, const std::string& what) {
  const Memory ram = memory();
  check(needed <= ram.available, what, ": needs about ", in_bytes(needed), " of memory, of which ",
        in_bytes(ram.available), " are available on this machine with ", in_bytes(ram.total),
        " (choose a smaller --batch_size, --block_size, --n_embd or --n_layer)");
}

double measured_step_time(const GptConfig& model, const TrainOptions& recipe) {
  const Index batch_size =
      std::clamp<Index>(kCalibrationTokens / model.n_positions, 1, recipe.batch_size);
  GptConfig part = model;
  part.n_layer = 1;
  double seconds = time_of_step(part, batch_size);
  if (model.n_layer > 1) {
    part.n_layer = 2;
    seconds += (model.n_layer - 1) * std::max(0.0, time_of_step(part, batch_size) - seconds);
  }
  release_cached_memory();
  return seconds * recipe.batch_size / static_cast<double>(batch_size) *
         recipe.gradient_accumulation_steps;
}

double evaluations_left(const TrainOptions& recipe, std::int64_t done) {
  const auto until = [&](std::int64_t step) { return step / recipe.eval_interval; };
  const bool odd_end = recipe.max_iters % recipe.eval_interval != 0;
  return static_cast<double>(until(recipe.max_iters) - until(done)) + (odd_end ? 1 : 0);
}

double evaluation_in_steps(const TrainOptions& recipe) {
  return 2.0 * recipe.eval_iters * kForwardShare / recipe.gradient_accumulation_steps;
}

Plan make_plan(const GptConfig& model, const TrainOptions& recipe, double text_bytes,
               std::int64_t done) {
  Plan plan;
  plan.parameters = static_cast<double>(parameter_count(model));
  plan.memory = memory_needed(model, recipe, text_bytes);
  check_memory(plan.memory, "train");
  plan.flops_per_step = 3 * forward_flops(model, recipe.batch_size, model.n_positions) *
                        recipe.gradient_accumulation_steps;
  plan.peak_gflops = measured_gemm_gflops(num_threads());
  plan.seconds_per_step = measured_step_time(model, recipe);
  const double steps =
      static_cast<double>(std::max<std::int64_t>(0, recipe.max_iters - done)) +
      (evaluations_left(recipe, done) + (done == 0 ? 1 : 0)) * evaluation_in_steps(recipe);
  plan.seconds = plan.seconds_per_step * steps;
  return plan;
}

}  // namespace gradus
