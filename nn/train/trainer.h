/// @file
/// The training loop. It uses no terminal, no flags and no files except checkpoints, and reports
/// through callbacks.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>

#include "autograd/inspect/profile.h"
#include "nn/files/checkpoint.h"
#include "nn/optim/weight_average.h"
#include "nn/train/rank_steps.h"
#include "nn/train/task.h"

namespace gradus {

/// @addtogroup train
/// @{

/// The result of one step.
struct StepReport {
  std::int64_t step = 0;         ///< 0 for the first
  double loss = 0;               ///< the batch's loss, before the step
  double learning_rate = 0;      ///< in this step
  double gradient_norm = 0;      ///< before clipping
  double milliseconds = 0;       ///< duration
  double tokens_per_second = 0;  ///< tokens trained on per second
};

/// The result of one evaluation: means over random batches of each split, or with eval_iters 0 the
/// exact mean over the held-out data.
struct EvalReport {
  std::int64_t step = 0;           ///< the steps done before it
  double train_loss = 0;           ///< mean, in nats
  double val_loss = 0;             ///< mean, in nats
  bool best = false;               ///< lowest val_loss so far; never at step 0
  std::vector<Score> scores = {};  ///< the task's own measures; none at step 0
};

/// Functions that the training loop calls to report, and to ask whether to stop. Each may be empty.
struct TrainCallbacks {
  std::function<void(const StepReport&)> on_step = {};  ///< after each step
  std::function<void(const EvalReport&)> on_eval = {};  ///< after each evaluation
  /// After each batch of an evaluation: how many are done, of how many.
  std::function<void(std::int64_t done, std::int64_t of)> on_eval_progress = {};
  std::function<void()> before_checkpoint = {};  ///< before each checkpoint is written
  /// After each checkpoint that was written.
  std::function<void(const std::filesystem::path& folder)> on_checkpoint = {};
  /// Asked after each step and each batch of an evaluation.
  std::function<bool()> should_stop = {};
  /// Profiles each step except the first two, which warm up, and nothing between steps. May be
  /// nullptr; all ranks have one, or none has.
  Profile* profile = nullptr;
};

/// The loss, or a gradient, became NaN or infinite. what() says at which step and what to try.
class DivergedError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Trains a Task.
///
/// Every random choice is a function of the seed and the step. So a run that was stopped anywhere
/// and resumed from its checkpoint does the same as one that never stopped, bit for bit on the same
/// machine, build and number of threads. With options.average, the average of the weights is
/// evaluated and saved. `out_dir/last` is written after each evaluation and at the
/// end, `out_dir/best` when the validation loss is the lowest so far.
///
/// Several Ranks share each step, and each evaluation: see share_of_step(). All end with the same
/// weights. These have the same bits as with one rank if each rank has whole batches, and the
/// number of ranks is a power of two or the number of batches. With options.local_steps, each rank
/// makes steps with its own share. After that many steps, before an evaluation and at the end, all
/// take the mean of their weights, optimiser states and averages. So ranks differ only between two
/// means, where no run ends: one rank saves the state of all.
/// @code
/// const Text text = read_text({"tales"});
/// const ByteTokenizer tokenizer;
/// const Corpus corpus(text, tokenizer);
/// Gpt model({.vocab_size = 256, .n_positions = 8, .n_layer = 1, .n_head = 2, .n_embd = 16});
/// GptTask task(model, corpus, tokenizer);
/// Trainer trainer(task, {.max_iters = 20, .batch_size = 4, .eval_iters = 1}, "");
/// double loss = 0;
/// trainer.run({.on_step = [&](const StepReport& report) { loss = report.loss; }});  // true
/// trainer.state().step;  // 20
/// @endcode
class Trainer {
 public:
  /// A new run or, after resume(), a continued one. The task must outlive the trainer.
  /// @param out_dir is created if missing. If it is empty, no checkpoint is written: only rank 0
  /// has an out_dir.
  /// @param ranks that train together, with equal tasks and options; must outlive the trainer. None
  /// is a rank without others.
  /// @throws std::invalid_argument if an option is invalid; std::runtime_error if out_dir is not
  /// writable.
  Trainer(Task& task, const TrainOptions& options, std::filesystem::path out_dir,
          Ranks* ranks = nullptr);

  /// Continues where the checkpoint in `folder` stopped: restores the optimiser and the counters.
  /// The caller loads the model's parameters, and the constructor's options stay in force. Call it
  /// before run().
  /// @throws std::runtime_error naming the file and the missing or wrong part.
  void resume(const std::filesystem::path& folder, const TrainState& state);

  /// Trains until max_iters steps are done, patience runs out or should_stop() returns true.
  /// It is enough if should_stop() is true on one rank. With local steps, ranks ask at their means.
  /// Evaluates before every step divisible by eval_interval, and after the last. The evaluation
  /// before the first step is cheaper than a step: one batch per split; it does not count for the
  /// best and is not saved. Saves at the end, also when stopped, unless no step was done.
  /// @returns whether the run is complete: false if it was stopped.
  /// @throws DivergedError if the loss or a gradient is NaN or infinite; the last good checkpoint
  /// is kept.
  /// @throws std::runtime_error on all ranks if one has other weights than the first, which is
  /// checked before each evaluation, and before a run that is stopped is saved.
  /// @throws std::runtime_error if a checkpoint cannot be written.
  bool run(const TrainCallbacks& callbacks);

  /// The state of the run.
  const TrainState& state() const { return state_; }

 private:
  /// One step: batches, gradients, clipping, update.
  StepReport step(Profile* profile);
  /// The parameters that learn, with the states of the optimiser and of the average.
  std::vector<Tensor> kept_between_steps() const;
  /// Returns the loss of one step's batches, and gives the parameters their gradient. Each
  /// batch's gradient is complete before it is added to the others', as sum_by_halves() does.
  double accumulate_gradients();
  /// Adds the gradient of the loss of batch `i` of the step, times `share`, to the parameters'
  /// gradient, and returns that loss.
  double backward_of_batch(int i, Scalar share);
  /// Whether should_stop() is true, on any of the ranks.
  bool is_stopped(const TrainCallbacks& callbacks);
  /// Evaluates and saves, if this step is due and not yet evaluated. False if stopped meanwhile.
  bool evaluate_if_due(const TrainCallbacks& callbacks);
  /// The mean losses over eval_iters random batches per split, the same each time (before the first
  /// step, over one), or over the whole held-out part and as many random batches of the training
  /// part; none if stopped meanwhile.
  std::optional<EvalReport> evaluate(const TrainCallbacks& callbacks);
  /// The loss of one batch of the held-out data.
  MeanLoss held_out_loss(std::int64_t i);
  /// The loss of one random batch of a split, drawn with this step and `place`.
  Tensor batch_loss(Split split, std::int64_t step, std::uint32_t place);
  void save(const char* which, const TrainCallbacks& callbacks);
  /// Saved with the optimiser's state: when averages are swapped in, the weights that training
  /// continues from.
  std::vector<NamedTensor> kept_with_the_optimiser() const;
  /// Whether the last `patience` evaluations have brought no improvement.
  bool has_lost_patience() const;
  /// @throws DivergedError unless `value` is finite.
  void check_finite(const char* what, double value) const;

  Task& task_;
  std::filesystem::path out_dir_;
  std::unique_ptr<Optimiser> optimiser_;
  std::vector<NamedTensor> learning_;  // the parameters that the optimiser updates
  RankSteps ranks_;
  std::optional<WeightAverage> average_;
  TrainState state_;
  std::int64_t first_step_ = 0;   // the step at which this run began or resumed
  std::filesystem::path saved_;   // the last checkpoint written or resumed from
  std::int64_t last_saved_ = -1;  // the step at which `last` was written
};

/// @}

}  // namespace gradus
