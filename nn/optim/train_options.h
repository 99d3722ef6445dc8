/// @file
/// How to train a model: the recipe. Names and defaults are nanoGPT's train_shakespeare_char.
#pragma once

#include <array>
#include <cstdint>

#include "autograd/kernels/blas.h"
#include "nn/optim/make_optimiser.h"
#include "nn/optim/schedule.h"

namespace gradus {

/// @addtogroup optim
/// @{

/// The most steps in a run: a limit from how random draws are numbered (RandomKey).
inline constexpr std::int64_t kMostSteps = 4'000'000'000;
inline constexpr int kMostAccumulationSteps = 4096;  ///< per step, for that reason
inline constexpr int kMostEvalIters = 30'000;        ///< per evaluation, for that reason

/// The names of products' precisions in files and flags: nanoGPT's of its dtype.
constexpr std::array<const char*, 2> names_of(ProductPrecision) { return {"float32", "bfloat16"}; }

/// The recipe of a run.
struct TrainOptions {
  std::int64_t max_iters = 5000;        ///< total steps
  int batch_size = 64;                  ///< rows in a batch
  int gradient_accumulation_steps = 1;  ///< batches whose gradients are averaged for one step
  /// Of several ranks, each makes so many steps of its own until all take the mean of their
  /// weights; 0 for steps together, by the sum of gradients.
  std::int64_t local_steps = 0;
  Schedule schedule = {};  ///< learning_rate, min_lr, warmup_iters, lr_decay_iters
  bool decay_lr = true;    ///< false keeps the rate at schedule.rate
  OptimiserKind optimiser = OptimiserKind::kAdamw;  ///< the rule that updates the parameters
  AdamWOptions adamw = {};  ///< beta1, beta2, weight_decay: of AdamW, Adam and Muon's AdamW
  double momentum = 0.9;    ///< of momentum, Nesterov and Muon
  double average = 0;       ///< decay of a WeightAverage that is evaluated and saved; 0 for none
  /// Early stopping: evaluations without improvement that end the run; 0 for no limit.
  std::int64_t patience = 0;
  double grad_clip = 1.0;            ///< largest global norm of the gradients; 0 for no limit
  std::int64_t eval_interval = 250;  ///< steps between evaluations
  /// Batches per split in an evaluation; the same each time. 0 evaluates all that is held out.
  int eval_iters = 200;
  /// Whether each evaluation writes `last`. If not, it is written only when the run ends or is
  /// stopped; `best` is written either way.
  bool always_save_checkpoint = true;
  std::uint64_t seed = 1337;  ///< of batches and dropout
  /// Of products forward and backward; weights, sums and the optimiser are in float either way.
  ProductPrecision dtype = ProductPrecision::kFull;

  /// Whether evaluations may read all that is held out, `whole` batches, in place of eval_iters
  /// drawn ones: it takes no more than those, or than a twentieth of the steps between two
  /// evaluations, where a batch forward is a third of a batch of a step, and as many batches of the
  /// training part are read beside it. A matter of sizes alone, so that a run does not depend on
  /// its machine's speed.
  bool can_evaluate_whole(std::int64_t whole) const {
    return whole > 0 && (whole <= eval_iters || is_small_share(whole, eval_interval));
  }
  /// The same for one exact evaluation at the end, of the held-out part alone: a fortieth of all
  /// steps.
  bool can_evaluate_at_end(std::int64_t whole) const {
    return whole > 0 &&
           (whole <= eval_iters || eval_iters == 0 || is_small_share(whole, max_iters));
  }

  /// The optimiser that these options describe.
  std::unique_ptr<Optimiser> make_optimiser(std::vector<NamedTensor> parameters) const;

  /// @throws std::invalid_argument naming the first invalid setting, by its flag.
  void validate() const;

  /// Names each setting, as its flag and trainer.json have it.
  void fields(auto&& f) {
    f("max_iters", max_iters);
    f("batch_size", batch_size);
    f("gradient_accumulation_steps", gradient_accumulation_steps);
    f("learning_rate", schedule.rate);
    f("min_lr", schedule.floor);
    f("warmup_iters", schedule.warmup);
    f("lr_decay_iters", schedule.decay);
    f("schedule", schedule.kind);
    f("decay_lr", decay_lr);
    f("optimizer", optimiser);
    f("momentum", momentum);
    f("beta1", adamw.beta1);
    f("beta2", adamw.beta2);
    f("epsilon", adamw.epsilon);
    f("weight_decay", adamw.weight_decay);
    f("grad_clip", grad_clip);
    f("average", average);
    f("patience", patience);
    f("eval_interval", eval_interval);
    f("eval_iters", eval_iters);
    f("always_save_checkpoint", always_save_checkpoint);
    f("seed", seed);
    f("dtype", dtype);
    f("local_steps", local_steps);
  }

 private:
  /// Whether so many batches, forward, take at most a fortieth of so many steps.
  bool is_small_share(std::int64_t batches, std::int64_t steps) const {
    return 40 * static_cast<double>(batches) <=
           3.0 * static_cast<double>(steps) * gradient_accumulation_steps;
  }
};

/// @}

}  // namespace gradus
