/// @file
/// The time of a run, computed from the measured costs of its parts, and the steps that fit into a
/// time. Measures nothing itself.
#pragma once

#include <cstdint>

#include "nn/optim/train_options.h"

namespace gradus {

/// The seconds that each part of a run takes.
struct Costs {
  double step = 0;                    ///< forward, backward and update
  double evaluation_batch = 0;        ///< one batch of one split, forward pass only
  double checkpoint = 0;              ///< writing one checkpoint
  double scoring = 0;                 ///< the task's own scores, once per evaluation
  std::int64_t held_out_batches = 0;  ///< the number in an exact evaluation; 0 if there is none
};

/// How many batches of each split an evaluation reads.
std::int64_t evaluation_batches(const TrainOptions& recipe, const Costs& costs);

/// Seconds of one evaluation, with its scores and the checkpoints written after it.
double evaluation_seconds(const TrainOptions& recipe, const Costs& costs);

/// Seconds of a run from `done` steps to its end, evaluations and checkpoints included.
double run_seconds(const TrainOptions& recipe, const Costs& costs, std::int64_t done);

/// How many evaluations a run makes after `done` steps. The one before the first step does not
/// count.
double evaluations_left(const TrainOptions& recipe, std::int64_t done);

/// Sets max_iters to the number of steps that fit into `seconds`, from 1 to `most_steps`. If
/// `settled`, eval_interval and eval_iters stay unchanged. Otherwise evaluations get about a
/// twentieth of the time, and are exact where that is cheap: see
/// TrainOptions::can_evaluate_whole().
void fit_steps(TrainOptions& recipe, const Costs& costs, double seconds, std::int64_t most_steps,
               bool settled);

}  // namespace gradus
