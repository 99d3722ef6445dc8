#include "cli/run/costs.h"

#include <algorithm>
#include <cmath>

namespace gradus {

double evaluations_left(const TrainOptions& recipe, std::int64_t done) {
  const auto until = [&](std::int64_t step) { return step / recipe.eval_interval; };
  const bool odd_end = recipe.max_iters % recipe.eval_interval != 0;
  return static_cast<double>(until(recipe.max_iters) - until(done)) + (odd_end ? 1 : 0);
}

std::int64_t evaluation_batches(const TrainOptions& recipe, const Costs& costs) {
  return recipe.eval_iters > 0 ? recipe.eval_iters : costs.held_out_batches;
}

double evaluation_seconds(const TrainOptions& recipe, const Costs& costs) {
  const auto batches = static_cast<double>(evaluation_batches(recipe, costs));
  return 2 * (batches * costs.evaluation_batch + costs.checkpoint) + costs.scoring;
}

namespace {

/// Seconds of the exact loss at the end, if the run computes one.
double end_seconds(const TrainOptions& recipe, const Costs& costs) {
  return recipe.can_evaluate_at_end(costs.held_out_batches)
             ? static_cast<double>(costs.held_out_batches) * costs.evaluation_batch
             : 0;
}

}  // namespace

double run_seconds(const TrainOptions& recipe, const Costs& costs, std::int64_t done) {
  return static_cast<double>(std::max<std::int64_t>(0, recipe.max_iters - done)) * costs.step +
         evaluations_left(recipe, done) * evaluation_seconds(recipe, costs) +
         end_seconds(recipe, costs);
}

void fit_steps(TrainOptions& recipe, const Costs& costs, double seconds, std::int64_t most_steps,
               bool settled) {
  const auto most = static_cast<double>(std::min(most_steps, kMostSteps));
  const auto whole = [&](double steps) {
    return static_cast<std::int64_t>(std::clamp(std::floor(steps), 1.0, most));
  };
  if (settled) {  // each stretch of eval_interval steps ends in an evaluation
    const double interval = static_cast<double>(recipe.eval_interval);
    const double evaluation = evaluation_seconds(recipe, costs);
    const double stretch = interval * costs.step + evaluation;
    const double stretches = std::floor(seconds / stretch);
    const double rest = seconds - stretches * stretch - evaluation;
    recipe.max_iters = whole(stretches * interval + std::max(0.0, rest / costs.step));
    return;
  }
  const double training = std::min(seconds, most * costs.step);
  const double evaluations = std::clamp(std::floor(training / 10), 2.0, 10.0);
  const double batches = 0.05 * training / (evaluations * 2 * costs.evaluation_batch);
  recipe.eval_iters = static_cast<int>(std::clamp(batches, 2.0, 20.0));
  const auto count = static_cast<std::int64_t>(evaluations);
  const auto fit = [&] {
    const double left = seconds - evaluations * evaluation_seconds(recipe, costs);
    recipe.max_iters = whole((left - end_seconds(recipe, costs)) / costs.step);
    recipe.eval_interval = (recipe.max_iters + count - 1) / count;
  };
  recipe.max_iters = whole(training / costs.step);
  fit();
  if (recipe.can_evaluate_whole(costs.held_out_batches)) {
    recipe.eval_iters = 0;
    fit();
  }
}

}  // namespace gradus
