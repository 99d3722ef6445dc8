/// @file
/// The settings of a training run. Names and defaults are taken from nanoGPT's
/// train_shakespeare_char.
#pragma once

#include <array>
#include <cstdint>

#include "autograd/kernels/blas.h"
#include "nn/optim/make_optimiser.h"
#include "nn/optim/schedule.h"

namespace gradus {

/// @addtogroup optim
/// @{

/// The largest number of steps in a run. The numbers of random draws (RandomKey) set this limit.
inline constexpr std::int64_t kMostSteps = 4'000'000'000;
inline constexpr int kMostAccumulationSteps = 4096;  ///< per step, for the same reason
inline constexpr int kMostEvalIters = 30'000;        ///< per evaluation, for the same reason

/// The names of the precisions of matrix products in files and flags: nanoGPT's names for dtype.
constexpr std::array<const char*, 2> names_of(ProductPrecision) { return {"float32", "bfloat16"}; }

/// The settings of a training run.
struct TrainOptions {
  std::int64_t max_iters = 5000;        ///< number of steps
  int batch_size = 64;                  ///< rows in a batch
  int gradient_accumulation_steps = 1;  ///< batches whose gradients are averaged for one step
  /// With several ranks: the steps that each rank does alone before all ranks average their
  /// weights. 0: all ranks do each step together, with the sum of their gradients.
  std::int64_t local_steps = 0;
  Schedule schedule = {};  ///< learning_rate, min_lr, warmup_iters, lr_decay_iters
  bool decay_lr = true;    ///< false keeps the rate at schedule.rate
  OptimiserKind optimiser = OptimiserKind::kAdamw;  ///< the rule that updates the parameters
  AdamWOptions adamw = {};  ///< beta1, beta2, weight_decay: for AdamW, Adam and Muon's AdamW
  double momentum = 0.9;    ///< for momentum, Nesterov and Muon
  double average = 0;       ///< decay of the WeightAverage that is evaluated and saved; 0: none
  /// Early stopping: the run ends after this many evaluations without improvement. 0: never.
  std::int64_t patience = 0;
  double grad_clip = 1.0;            ///< largest global norm of the gradients; 0: no limit
  std::int64_t eval_interval = 250;  ///< steps between evaluations
  /// Batches per split in an evaluation; every evaluation uses the same ones. 0: the whole held-out
  /// part.
  int eval_iters = 200;
  /// Whether each evaluation writes the checkpoint `last`. If false, `last` is written only when
  /// the run ends or is stopped. `best` is written in both cases.
  bool always_save_checkpoint = true;
  std::uint64_t seed = 1337;  ///< for batches and dropout
  /// The precision of matrix products in the forward and backward pass. Weights, sums and the
  /// optimiser are always in float.
  ProductPrecision dtype = ProductPrecision::kFull;

  /// Whether evaluations may read the whole held-out part, which has `whole` batches, in place of
  /// eval_iters random batches. They may if `whole` is at most eval_iters, or if an evaluation
  /// takes at most a twentieth of the time of the steps between two evaluations. The time is
  /// estimated: a forward pass takes a third of the time of a training step's batch, and an
  /// evaluation reads equally many batches of the training part. The result depends only on sizes,
  /// so that a run does not depend on its machine's speed.
  bool can_evaluate_whole(std::int64_t whole) const {
    return whole > 0 && (whole <= eval_iters || is_small_share(whole, eval_interval));
  }
  /// The same for one exact evaluation at the end, of the held-out part alone: its limit is a
  /// fortieth of the time of all steps. True also if eval_iters is 0.
  bool can_evaluate_at_end(std::int64_t whole) const {
    return whole > 0 &&
           (whole <= eval_iters || eval_iters == 0 || is_small_share(whole, max_iters));
  }

  /// Makes the optimiser that these options describe.
  std::unique_ptr<Optimiser> make_optimiser(std::vector<NamedTensor> parameters) const;

  /// Checks all settings.
  /// @throws std::invalid_argument naming the flag of the first invalid setting.
  void validate() const;

  /// Names each setting as in its flag and in trainer.json.
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
  /// Whether the forward passes of `batches` take at most a fortieth of the time of `steps`, if a
  /// forward pass takes a third of the time of a training step's batch.
  bool is_small_share(std::int64_t batches, std::int64_t steps) const {
    return 40 * static_cast<double>(batches) <=
           3.0 * static_cast<double>(steps) * gradient_accumulation_steps;
  }
};

/// @}

}  // namespace gradus
