#include "cli/run/plan.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <vector>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/allocator.h"
#include "autograd/kernels/parallel_for.h"
#include "cli/cluster/cluster.h"
#include "cli/program/display.h"
#include "cli/program/machine.h"
#include "nn/module.h"
#include "nn/optim/adamw.h"
#include "nn/optim/optimiser.h"

namespace gradus {
using namespace detail;
namespace {

/// The program, its libraries and the memory that they allocate for themselves.
constexpr double kProgramBytes = 24.0 * (1 << 20);

/// A forward pass takes a third of a training step.
constexpr double kForwardShare = 1.0 / 3;

/// The lowest rate at which a checkpoint is written to the disk, in bytes a second.
constexpr double kDiskRate = 200e6;
/// The least time to write a checkpoint, in seconds.
constexpr double kDiskSeconds = 0.02;

/// The length of a run from which the program asks before it begins.
constexpr double kLongRun = 30 * 60;

/// The approximate number of tokens of a calibration batch.
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
  std::fill_n(tokens.mutable_data(), tokens.size(), 0);
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

double memory_of_activations(const GptConfig& model, const TrainOptions& recipe) {
  const double c = static_cast<double>(model.n_embd);
  const double v = static_cast<double>(model.vocab_size);
  const StepShare share = share_of_step(recipe, ranks());
  const double n = static_cast<double>(share.rows.count) * static_cast<double>(model.n_positions);
  const double inner = static_cast<double>(model.inner());
  const double queries = static_cast<double>(model.n_head * model.width());
  const double packed = queries + 2.0 * model.kv_heads() * static_cast<double>(model.width());
  // A block keeps its input, two normed copies, the packed product, the heads' result, the residual
  // sums (2), and the hidden layer before and after its activation. With token shift, it also keeps
  // two shifted copies; with rotary positions or norms of queries and keys, more copies of the
  // packed product; with a gated activation, both halves, the activated half and the product.
  const double hidden = (is_gated(model.activation) ? 4 : 2) * inner;
  const double copies =
      1.0 + (model.position == Position::kRotary ? 1 : 0) + (model.qk_norm ? 2 : 0);
  const double kept = model.n_layer * ((model.token_shift ? 7 : 5) * c + copies * packed + queries +
                                       hidden + 2.0 * model.n_head + 8) +
                      4 * c;
  // Temporaries: the gradients of the hidden layer and of its input; before that, logits and their
  // gradient. The gradient of a learned bias is computed from the gradient of all scores.
  const bool learns_bias =
      model.position == Position::kRelative || model.position == Position::kBuckets;
  const double scores = learns_bias ? model.n_head * static_cast<double>(model.n_positions) : 0;
  const double in_passing =
      std::max((is_gated(model.activation) ? 5 : 2) * inner + 6 * c, 2 * v) + scores;
  return sizeof(Scalar) * n * (kept + in_passing);
}

double memory_needed(const GptConfig& model, const TrainOptions& recipe, double text_bytes) {
  const StepShare share = share_of_step(recipe, ranks());
  // Value, gradient and two numbers of AdamW; the copies made to save and to load; and sums of
  // gradients over 1, 2, 4 and more batches, which are kept while other gradients are computed.
  const double weights =
      (6 + std::floor(std::log2(share.batches))) * static_cast<double>(parameter_count(model));
  // The text, an int32 per token of at least one byte, and the same again while the text is
  // encoded.
  const double text = 9 * text_bytes;
  return kProgramBytes + memory_of_activations(model, recipe) + sizeof(Scalar) * weights + text;
}

void check_memory(double needed, const std::string& what) {
  const Memory ram = memory();
  const int here = ranks_here();
  needed *= here;
  const std::string who = here > 1 ? text(here, " processes need") : "needs";
  check(needed <= ram.available, what, ": ", who, " about ", in_bytes(needed),
        " of memory, but only ", in_bytes(ram.available), " of ", in_bytes(ram.total),
        " are available (choose a smaller --batch_size, --block_size, --n_embd or --n_layer)");
}

double measured_step_time(const GptConfig& model, const TrainOptions& recipe) {
  const ProductPrecisionScope precision(recipe.dtype);
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
         recipe.gradient_accumulation_steps / ranks().size();
}

Costs costs_of_step(const TrainOptions& recipe, double parameters, double step_seconds) {
  // Half of the checkpoints contain the model and AdamW's two numbers per parameter.
  return {.step = step_seconds,
          .evaluation_batch = step_seconds * kForwardShare / recipe.gradient_accumulation_steps,
          .checkpoint = kDiskSeconds + 3 * sizeof(Scalar) * parameters / kDiskRate};
}

Costs measured_costs(Task& task, const TrainOptions& recipe, double seconds) {
  const ProductPrecisionScope precision(recipe.dtype);
  const auto optimiser = recipe.make_optimiser(trainable(task.parameters()));
  const Tensor share = scalar(Scalar(1) / static_cast<Scalar>(recipe.gradient_accumulation_steps));
  const auto batch = [&](Split split, std::int64_t step, int place) {
    return task.loss(
        split, recipe.batch_size,
        {recipe.seed, static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(place)});
  };
  // The mean of the repetitions, because other load now will continue during the run.
  const auto mean_time = [&](int warm_up, double least_seconds, const auto& work) {
    for (int i = 0; i < warm_up; ++i) work(i);
    const double start = now();
    int count = 0;
    do {
      work(warm_up + count++);
    } while (now() - start < least_seconds);
    return (now() - start) / count;
  };
  const double step = mean_time(2, seconds, [&](int i) {
    const Training training(recipe.seed, static_cast<std::uint32_t>(i));
    optimiser->zero_grad();
    for (int place = 0; place < recipe.gradient_accumulation_steps; ++place) {
      backward(batch(Split::kTrain, i, place), share);
    }
    const double norm =
        optimiser->gradient_norm();  // the run itself reports a norm that is not finite
    optimiser->step(0, std::isfinite(norm) ? clip_scale(norm, recipe.grad_clip) : Scalar(1));
  });
  optimiser->zero_grad();
  const NoGrad no_grad;
  const int shares = ranks().size();
  Costs costs = costs_of_step(recipe, static_cast<double>(count(task.parameters())), step / shares);
  costs.evaluation_batch =
      mean_time(1, seconds / 10, [&](int i) { batch(Split::kVal, i, 0).item(); }) / shares;
  return costs;
}

Costs costs_of_first(const std::function<Costs()>& measure) {
  Costs costs = ranks().is_first() ? measure() : Costs();
  for (double* cost : {&costs.step, &costs.evaluation_batch, &costs.checkpoint, &costs.scoring}) {
    *cost = found_by_first([&] { return *cost; });
  }
  return costs;
}

double loss_of_nothing(const GptConfig& model) {
  return model.vocab_size > 0 ? std::log(static_cast<double>(model.vocab_size)) : 0;
}

Plan make_plan(const GptConfig& model, const TrainOptions& recipe, double text_bytes,
               std::int64_t done, std::int64_t held_out_batches) {
  check_memory(memory_needed(model, recipe, text_bytes), "train");
  Costs costs = costs_of_first([&] {
    return costs_of_step(recipe, static_cast<double>(parameter_count(model)),
                         measured_step_time(model, recipe));
  });
  costs.held_out_batches = held_out_batches;
  return make_plan(model, recipe, text_bytes, done, costs);
}

Plan make_plan(const GptConfig& model, const TrainOptions& recipe, double text_bytes,
               std::int64_t done, const Costs& costs) {
  Plan plan;
  plan.parameters = static_cast<double>(parameter_count(model));
  plan.memory = memory_needed(model, recipe, text_bytes);
  check_memory(plan.memory, "train");
  plan.flops_per_step = 3 * forward_flops(model, recipe.batch_size, model.n_positions) *
                        recipe.gradient_accumulation_steps;
  plan.peak_gflops = ranks().size() * found_by_first([&] {
                       return measured_gemm_gflops(num_threads(), 0.25, recipe.dtype);
                     });
  if (recipe.dtype == ProductPrecision::kBfloat16) plan.peak = "bfloat16 peak";
  plan.costs = costs;
  plan.seconds = run_seconds(recipe, costs, done);
  return plan;
}

bool agreed_to_length(Display& display, double seconds, const std::string& shorter, bool yes) {
  if (seconds <= kLongRun) {
    return true;
  }
  display.entry("long", "this run takes more than half an hour (to shorten it, " + shorter + ")");
  if (yes || ranks().size() > 1 || !display.is_terminal() || isatty(STDIN_FILENO) != 1) {
    return true;
  }
  display.line("Start anyway? [Enter: start, n: stop; --yes skips this question]", true);
  std::string answer;
  return std::getline(std::cin, answer) && (answer.empty() || answer[0] == 'y' || answer[0] == 'Y');
}

}  // namespace gradus
