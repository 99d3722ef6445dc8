/// @file
/// The time and memory of a run, computed before it starts.
#pragma once

#include <functional>
#include <string>

#include "cli/program/display.h"
#include "cli/run/costs.h"
#include "nn/models/gpt.h"
#include "nn/optim/train_options.h"
#include "nn/train/task.h"

namespace gradus {

/// The cost of a run.
struct Plan {
  double parameters = 0;
  double memory = 0;               ///< bytes, at the most
  double flops_per_step = 0;       ///< of the matrix products
  double peak_gflops = 0;          ///< of a large product on this machine, measured
  std::string peak = "BLAS peak";  ///< what that is called
  Costs costs;                     ///< measured
  double seconds = 0;              ///< of all steps left, and their evaluations
};

/// Bytes that training such a model takes at the most: parameters with their gradients and AdamW's
/// two numbers each, what a step keeps for its backward pass, and the text with its tokens.
/// Computed, not tried.
double memory_needed(const GptConfig& model, const TrainOptions& recipe, double text_bytes);

/// Makes sure that this many bytes can be had.
/// @throws std::invalid_argument naming what is needed and what there is.
void check_memory(double needed, const std::string& what);

/// Seconds of one training step that ranks() share, by a few steps of one and two blocks of the
/// model on small batches.
double measured_step_time(const GptConfig& model, const TrainOptions& recipe);

/// Estimates the costs of evaluations and checkpoints from the time of a step.
Costs costs_of_step(const TrainOptions& recipe, double parameters, double step_seconds);

/// The costs of a run that ranks() share, by whole steps of the task on its batches for about so
/// many seconds, after two that warm up. The parameters stay what they are.
Costs measured_costs(Task& task, const TrainOptions& recipe, double seconds);

/// The costs that the first rank measures, for all; the others measure nothing.
Costs costs_of_first(const std::function<Costs()>& measure);

/// The loss of a model that finds every token equally likely; 0 for one without a vocabulary.
double loss_of_nothing(const GptConfig& model);

/// Puts a plan together for the steps from `done` on, by these costs.
/// @throws std::invalid_argument if the memory cannot be had.
Plan make_plan(const GptConfig& model, const TrainOptions& recipe, double text_bytes,
               std::int64_t done, const Costs& costs);
/// The same by measured_step_time(): takes about half a second, longer for large models.
/// @param held_out_batches that an exact evaluation reads.
Plan make_plan(const GptConfig& model, const TrainOptions& recipe, double text_bytes,
               std::int64_t done, std::int64_t held_out_batches);

/// Warns about a plan of more than half an hour and, on a terminal, asks unless `yes`. `shorter`
/// names a way to a shorter run. Returns false if the run shall not begin.
bool agreed_to_length(Display& display, double seconds, const std::string& shorter, bool yes);

}  // namespace gradus
