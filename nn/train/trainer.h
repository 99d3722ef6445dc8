/// @file
/// The training loop. It knows nothing of terminals, flags or files but the checkpoints: callbacks
/// report.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>

#include "autograd/inspect/profile.h"
#include "nn/models/gpt.h"
#include "nn/optim/weight_average.h"
#include "nn/train/checkpoint.h"
#include "nn/train/task.h"

namespace gradus {

/// @addtogroup train
/// @{

/// What one step did.
struct StepReport {
  std::int64_t step = 0;         ///< 0 for the first
  double loss = 0;               ///< of the batch, before the step
  double learning_rate = 0;      ///< of this step
  double gradient_norm = 0;      ///< before clipping
  double milliseconds = 0;       ///< that it took
  double tokens_per_second = 0;  ///< trained on
};

/// What one evaluation found: means over random batches of each split.
struct EvalReport {
  std::int64_t step = 0;           ///< the steps done before it
  double train_loss = 0;           ///< mean, in nats
  double val_loss = 0;             ///< mean, in nats
  bool best = false;               ///< no evaluation before had a lower val_loss; never of step 0
  std::vector<Score> scores = {};  ///< the task's own measures; none of step 0
};

/// What the loop tells, and asks, its caller. Each may be empty.
struct TrainCallbacks {
  std::function<void(const StepReport&)> on_step;  ///< after each step
  std::function<void(const EvalReport&)> on_eval;  ///< after each evaluation
  /// After each batch of an evaluation: how many are done, and of how many.
  std::function<void(std::int64_t done, std::int64_t of)> on_eval_progress;
  std::function<void(const std::filesystem::path& folder)> on_checkpoint;  ///< once it is written
  std::function<bool()> should_stop;  ///< asked after each step and each batch of an evaluation
  /// Takes the time of each step but the first two, which warm up; of nothing between steps. May be
  /// nullptr.
  Profile* profile = nullptr;
};

/// The loss, or a gradient, became NaN or infinite. what() says at which step and what to try.
class DivergedError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Trains what a Task says.
///
/// Every random choice is a function of the seed and the step, so that a run that was stopped
/// anywhere and resumed from its checkpoint does the same as one that never stopped, bit for bit on
/// the same machine, build and number of threads. With options.average, what is evaluated and saved
/// is the average of the weights. `out_dir/last` is written after each evaluation
/// and at the end, `out_dir/best` when the validation loss is the lowest so far.
class Trainer {
 public:
  /// A new run, or after resume() a run that goes on. The task must outlive the trainer.
  /// @param out_dir is made if it is missing; empty for no checkpoints.
  /// @throws std::invalid_argument if an option makes no sense; std::runtime_error if out_dir
  /// cannot be written to.
  Trainer(Task& task, const TrainOptions& options, std::filesystem::path out_dir);

  /// Goes on where the checkpoint in `folder` stopped: optimiser and counters. The model's
  /// parameters are the caller's to load, and the constructor's options stay in force. Call it
  /// before run().
  /// @throws std::runtime_error naming the file and what is missing or wrong.
  void resume(const std::filesystem::path& folder, const TrainState& state);

  /// Trains until max_iters steps are done, the patience runs out or should_stop() says so.
  /// Evaluates before every step whose number eval_interval divides, and after the last. What comes
  /// before the first step costs less than a step: one batch of each split, which is no candidate
  /// for the best and is not saved. Saves at the end, also when stopped, but for a run without a
  /// step.
  /// @returns whether the run is complete: false if it was stopped.
  /// @throws DivergedError if the loss or a gradient is NaN or infinite; the last good checkpoint
  /// stays.
  /// @throws std::runtime_error if a checkpoint cannot be written.
  bool run(const TrainCallbacks& callbacks);

  /// Where the run stands.
  const TrainState& state() const { return state_; }

 private:
  /// One step: batches, gradients, clipping, AdamW.
  StepReport step(Profile* profile);
  /// The loss and, added to the parameters' gradients, the gradient of one step's batches.
  double accumulate_gradients();
  /// Evaluates if this step asks for it and it is not done, and saves. False if stopped on the way.
  bool evaluate_if_due(const TrainCallbacks& callbacks);
  /// The mean losses over eval_iters random batches of each split, the same ones each time, before
  /// the first step over one; none if stopped on the way.
  std::optional<EvalReport> evaluate(const TrainCallbacks& callbacks);
  /// The loss of one random batch of a split, drawn with `place` of this step.
  Tensor batch_loss(Split split, std::int64_t step, std::uint32_t place);
  void save(const char* which, const TrainCallbacks& callbacks);
  /// What is kept beside the optimiser's state: where averages stand in the model's place, the
  /// weights that training goes on from.
  std::vector<NamedTensor> kept_with_the_optimiser() const;
  /// Whether as many evaluations as the patience allows have brought nothing better.
  bool has_lost_patience() const;
  /// @throws DivergedError unless `value` is finite.
  void check_finite(const char* what, double value) const;

  Task& task_;
  std::filesystem::path out_dir_;
  std::unique_ptr<Optimiser> optimiser_;
  std::optional<WeightAverage> average_;
  TrainState state_;
  std::filesystem::path saved_;   // the last checkpoint that was written or resumed from
  std::int64_t last_saved_ = -1;  // the step at which `last` was written
};

/// The exact mean loss over consecutive, non-overlapping blocks (see Blocks).
struct ExactLoss {
  std::int64_t tokens = 0;  ///< predictions made
  double loss = 0;          ///< mean, in nats
};
/// Evaluates `batch_size` blocks of n_positions tokens at a time.
/// @throws std::invalid_argument if there are fewer than two tokens.
ExactLoss exact_loss(const Gpt& model, std::span<const std::int32_t> tokens, int batch_size,
                     const std::function<void(double share_done)>& progress = {});

/// @}

}  // namespace gradus
