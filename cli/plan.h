/// @file
/// What a run will take, told before it starts.
#pragma once

#include <string>

#include "nn/gpt.h"
#include "nn/train/train_options.h"

namespace gradus {

/// The cost of a run.
struct Plan {
  double parameters = 0;
  double memory = 0;            ///< bytes, at the most
  double flops_per_step = 0;    ///< of the matrix products
  double peak_gflops = 0;       ///< of a large product on this machine, measured
  double seconds_per_step = 0;  ///< measured on a part of the model
  double seconds = 0;           ///< of all steps left, and their evaluations
};

/// Bytes that training such a model takes at the most: parameters with their gradients and AdamW's
/// two numbers each, what a step keeps for its backward pass, and the text with its tokens.
/// Computed, not tried.
double memory_needed(const GptConfig& model, const TrainOptions& recipe, double text_bytes);

/// Makes sure that this many bytes can be had.
/// @throws std::invalid_argument naming what is needed and what there is.
void check_memory(double needed, const std::string& what);

/// Seconds of one training step, by a few steps of one and two blocks of the model on small
/// batches.
double measured_step_time(const GptConfig& model, const TrainOptions& recipe);

/// Puts a plan together for the steps from `done` on. Measures for about half a second, longer for
/// large models.
/// @throws std::invalid_argument if the memory cannot be had.
Plan make_plan(const GptConfig& model, const TrainOptions& recipe, double text_bytes,
               std::int64_t done);

/// How many evaluations a run makes between `done` steps and its end.
double evaluations_left(const TrainOptions& recipe, std::int64_t done);

/// The cost of an evaluation in training steps: forward passes alone, of both splits.
double evaluation_in_steps(const TrainOptions& recipe);

}  // namespace gradus
