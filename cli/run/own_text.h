/// @file
/// How a text of one's own is trained: sizes by the text and the time, steps by what one takes.
/// Pure: what is measured, others measure.
#pragma once

#include <cstdint>
#include <string>

#include "nn/optim/train_options.h"

namespace gradus {

/// Sizes for a text; the rest is as in --recipe fast.
struct OwnSizes {
  std::string tokenizer;
  int vocab_size = 0;  ///< 0 for the tokenizer's own
  int n_layer = 0;
  int n_head = 0;
  int n_embd = 0;
  int block_size = 0;
  int batch_size = 0;
  double dropout = 0;
  double weight_decay = 0;
  double learning_rate = 0;
  std::int64_t most_steps = 0;  ///< more would only memorise the text
};

/// The model that a step's cost is measured with before the sizes are chosen: 4 layers of 128
/// channels that read 16 times 128 tokens.
OwnSizes reference_sizes(double text_bytes);

/// The sizes for a text of so many bytes and a time in which so many steps of reference_sizes()
/// can be done. Found by measured runs, by bits per byte of what was not read: docs/performance.md.
OwnSizes own_sizes(double text_bytes, double reference_steps);

/// What the parts of a run take, in seconds.
struct Costs {
  double step = 0;                    ///< forward, backward and update
  double evaluation_batch = 0;        ///< one batch of one split, forward alone
  double checkpoint = 0;              ///< one that is written
  double scoring = 0;                 ///< the task's own scores, once an evaluation
  std::int64_t held_out_batches = 0;  ///< that an exact evaluation reads; 0 if there is none
};

/// How many batches of each split an evaluation reads.
std::int64_t evaluation_batches(const TrainOptions& recipe, const Costs& costs);

/// Seconds of one evaluation, with its scores and the checkpoints that are written after it.
double evaluation_seconds(const TrainOptions& recipe, const Costs& costs);

/// Seconds of a run from `done` steps to its end, evaluations and checkpoints included.
double run_seconds(const TrainOptions& recipe, const Costs& costs, std::int64_t done);

/// How many evaluations a run makes after `done` steps; the look before the first one is none.
double evaluations_left(const TrainOptions& recipe, std::int64_t done);

/// Sets max_iters to the number of steps that fit into `seconds`, from 1 to `most_steps`. If
/// `settled`, eval_interval and eval_iters stay unchanged. Otherwise evaluations get about a
/// twentieth of the time, and are exact where that is cheap: see
/// TrainOptions::can_evaluate_whole().
void fit_steps(TrainOptions& recipe, const Costs& costs, double seconds, std::int64_t most_steps,
               bool settled);

}  // namespace gradus
