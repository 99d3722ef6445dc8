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
  double flops_per_step = 0;       ///< in its matrix products
  double peak_gflops = 0;          ///< rate of a large product, measured on this machine
  std::string peak = "BLAS peak";  ///< the name of that rate in the plan
  Costs costs;                     ///< measured
  double seconds = 0;              ///< for all steps left, with their evaluations
};

/// Bytes of the activations that a training step keeps for its backward pass, at the most.
/// Computed, not measured.
double memory_of_activations(const GptConfig& model, const TrainOptions& recipe);

/// Bytes that training such a model takes at the most: parameters with their gradients and AdamW's
/// two numbers each, the values that a step keeps for its backward pass, and the text with its
/// tokens. Computed, not measured.
double memory_needed(const GptConfig& model, const TrainOptions& recipe, double text_bytes);

/// Checks that the system has this much memory.
/// @throws std::invalid_argument with the bytes that are needed and the bytes that there are.
void check_memory(double needed, const std::string& what);

/// Seconds of one training step that ranks() share, estimated from a few steps of one and two
/// blocks of the model on small batches.
double measured_step_time(const GptConfig& model, const TrainOptions& recipe);

/// Estimates the costs of evaluations and checkpoints from the time of a step.
Costs costs_of_step(const TrainOptions& recipe, double parameters, double step_seconds);

/// The costs of a run that ranks() share. Measures whole steps of the task on its batches for about
/// `seconds`, after two steps to warm up, and leaves the parameters unchanged.
Costs measured_costs(Task& task, const TrainOptions& recipe, double seconds);

/// Measures the costs on rank 0 and gives them to all ranks.
Costs costs_of_first(const std::function<Costs()>& measure);

/// The loss of a model that finds every token equally likely; 0 for one without a vocabulary.
double loss_of_nothing(const GptConfig& model);

/// Makes the plan for the steps from `done` on, with these costs.
/// @throws std::invalid_argument if there is too little memory.
Plan make_plan(const GptConfig& model, const TrainOptions& recipe, double text_bytes,
               std::int64_t done, const Costs& costs);
/// The same with measured_step_time(): takes about half a second, longer for large models.
/// @param held_out_batches the number that an exact evaluation reads.
Plan make_plan(const GptConfig& model, const TrainOptions& recipe, double text_bytes,
               std::int64_t done, std::int64_t held_out_batches);

/// Warns if a plan takes more than half an hour and, on a terminal, asks unless `yes`. `shorter`
/// names a way to a shorter run. Returns false if the user refuses.
bool agreed_to_length(Display& display, double seconds, const std::string& shorter, bool yes);

}  // namespace gradus
