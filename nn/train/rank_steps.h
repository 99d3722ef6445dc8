/// @file
/// The part of one of several Ranks in the steps of a Trainer.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "nn/optim/train_options.h"
#include "nn/train/ranks.h"
#include "nn/train/task.h"

namespace gradus {

/// @addtogroup train
/// @{

/// The work of a Trainer that is needed only with several Ranks, so that its loop reads as if one
/// process trained. One rank alone computes all batches, and the other functions do nothing.
///
/// Ranks compute shares of each step's batches, and after_gradients() sums their results. With
/// TrainOptions::local_steps, each rank makes steps with its own share instead, and take_mean()
/// makes their weights equal from time to time.
/// @code
/// RankSteps alone(nullptr, {.batch_size = 4, .gradient_accumulation_steps = 2}, {});
/// alone.share().batches;     // 2
/// alone.are_apart_after(1);  // false
/// @endcode
class RankSteps {
 public:
  /// @param ranks that train together; must outlive this. nullptr for one rank alone.
  /// @param learning are the parameters that the optimiser updates; handles.
  /// @throws std::invalid_argument if the ranks cannot share a step: see share_of_step().
  RankSteps(Ranks* ranks, const TrainOptions& options, std::vector<NamedTensor> learning);
  RankSteps(const RankSteps&) = delete;
  RankSteps& operator=(const RankSteps&) = delete;

  /// Whether this rank scores and saves.
  bool is_first() const { return ranks_.is_first(); }

  /// The batches of a step that this rank computes.
  const StepShare& share() const { return share_; }
  /// The number of batches whose mean is the loss of a step.
  int batches_in_mean() const;
  /// Adds the gradient of this rank's rows of a batch, times `share`, to the parameters' gradient.
  /// @returns the mean loss of the rows of all ranks; with local steps, of this rank's rows.
  double backward_of_rows(Task& task, const RandomKey& key, Scalar share);
  /// Replaces the losses of a step's batches, and the gradients of the parameters, with their sums
  /// over the ranks.
  void after_gradients(std::span<double> losses);

  /// With local steps, keeps a loss or norm for the next mean and returns 0: a rank that ended
  /// training alone would leave the others waiting. Otherwise returns the value.
  double value_to_check(double value);
  /// Whether the ranks take the mean of their weights after this number of steps.
  bool take_mean_after(std::int64_t steps) const;
  /// Whether the ranks' weights differ after this number of steps, so that no evaluation, no
  /// checkpoint and no stop is possible.
  bool are_apart_after(std::int64_t steps) const;
  /// The sum, over all ranks, of the values kept since the last mean.
  double values_since_mean();
  /// Replaces tensors with their mean over the ranks.
  void take_mean(std::span<const Tensor> tensors);

  /// Whether `here` is true on one of the ranks.
  bool any(bool here);
  /// Whether this rank computes batch `i` of an evaluation.
  bool has_batch(std::int64_t i) const { return i % ranks_.size() == ranks_.rank(); }
  /// Whether each rank has computed a batch when batch `i` is the last one computed.
  bool ends_round(std::int64_t i) const { return i % ranks_.size() == ranks_.size() - 1; }
  /// Adds up numbers over the ranks. Each rank has zeros for the batches of the others.
  void collect(std::span<double> numbers) { ranks_.sum(numbers); }

  /// Makes sure that all ranks have the same weights.
  /// @param last_saved is the last good checkpoint, for the message; may be empty.
  /// @throws std::runtime_error on all ranks if one has other weights than the first.
  void check_copies(std::int64_t steps, const std::filesystem::path& last_saved);

 private:
  bool has_local_steps() const { return options_.local_steps > 0 && ranks_.size() > 1; }
  void sum(std::span<const Tensor> tensors);
  void sum(std::span<double> numbers);
  void sum_gradients();

  Ranks alone_;
  Ranks& ranks_;
  TrainOptions options_;
  std::vector<NamedTensor> learning_;
  StepShare share_;
  double since_mean_ = 0;  // losses and norms since the last mean, added up
};

/// @}

}  // namespace gradus
