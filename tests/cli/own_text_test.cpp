#include "cli/run/costs.h"
#include "cli/run/own_sizes.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

/// The steps for two and ten minutes in the tables of docs/performance.md.
constexpr double kTwoMinutes = 1500, kTenMinutes = 7500;

/// The options for a whole run, without the evaluation before the first step.
TrainOptions fitted(const Costs& costs, double seconds, std::int64_t most = kMostSteps) {
  TrainOptions recipe;
  fit_steps(recipe, costs, seconds, most, false);
  return recipe;
}

}  // namespace

TEST_CASE("own text: more time takes a larger model, never a smaller one") {
  for (const double bytes : {2e3, 20e3, 300e3, 1.1e6, 3e6, 50e6}) {
    CAPTURE(bytes);
    double before = 0;
    for (double steps = 1; steps < 1e6; steps *= 1.5) {
      const OwnSizes sizes = own_sizes(bytes, steps);
      const double weights = 1.0 * sizes.n_layer * sizes.n_embd * sizes.n_embd;
      CHECK(weights >= before);
      before = weights;
      CHECK(sizes.n_embd % sizes.n_head == 0);
      CHECK(sizes.most_steps >= 1);
    }
  }
}

TEST_CASE(
    "own text: a short text gets characters or few byte pairs, and rests before it is memorised") {
  for (const double bytes : {1e3, 20e3}) {
    CHECK(own_sizes(bytes, kTwoMinutes).tokenizer == "char");
    CHECK(own_sizes(bytes, kTwoMinutes).vocab_size == 0);
  }
  int before = 0;
  for (const double bytes : {300e3, 1.1e6, 3e6, 50e6}) {
    CHECK(own_sizes(bytes, kTwoMinutes).tokenizer == "bpe");
    CHECK(own_sizes(bytes, kTwoMinutes).vocab_size >= before);
    before = own_sizes(bytes, kTwoMinutes).vocab_size;
  }
  const OwnSizes small = own_sizes(20e3, kTwoMinutes), large = own_sizes(3e6, kTwoMinutes);
  CHECK(small.dropout > large.dropout);
  CHECK(small.weight_decay > large.weight_decay);
  CHECK(small.most_steps < kTwoMinutes);
  CHECK(large.most_steps > kTenMinutes);
}

TEST_CASE("own text: the steps and evaluations of a run take the time they are given") {
  for (const double seconds : {5.0, 30.0, 120.0, 600.0, 7200.0}) {
    for (const double step : {0.001, 0.03, 0.2}) {
      CAPTURE(seconds);
      CAPTURE(step);
      const Costs costs = {.step = step, .evaluation_batch = step / 3, .checkpoint = 0.05};
      const TrainOptions recipe = fitted(costs, seconds);
      recipe.validate();
      CHECK(run_seconds(recipe, costs, 0) <= seconds * 1.001);
      CHECK(run_seconds(recipe, costs, 0) > 0.9 * seconds);
      CHECK(evaluations_left(recipe, 0) >= 2);
      CHECK(evaluations_left(recipe, 0) <= 10);
    }
  }
}

TEST_CASE("own text: evaluations that are settled are paid for in steps") {
  const Costs costs = {.step = 0.1, .evaluation_batch = 0.04, .checkpoint = 0.01};
  for (const std::int64_t interval : {1, 7, 100, 100000}) {
    CAPTURE(interval);
    TrainOptions recipe;
    recipe.eval_interval = interval;
    recipe.eval_iters = 5;
    fit_steps(recipe, costs, 60, kMostSteps, true);
    CHECK(recipe.eval_interval == interval);
    CHECK(recipe.eval_iters == 5);
    CHECK(run_seconds(recipe, costs, 0) <= 60.001);
    CHECK(run_seconds(recipe, costs, 0) > 58);
  }
}

TEST_CASE("own text: a run has a step at least, and no more than are of use") {
  const Costs costs = {.step = 0.1, .evaluation_batch = 0.03, .checkpoint = 0.01};
  CHECK(fitted(costs, 0.01).max_iters == 1);
  CHECK(fitted(costs, 600, 50).max_iters == 50);
  fitted(costs, 600, 50).validate();
}

TEST_CASE("own text: evaluations left do not count the look before the first step") {
  TrainOptions recipe;
  recipe.max_iters = 20;
  recipe.eval_interval = 7;
  CHECK(evaluations_left(recipe, 0) == 3);
  CHECK(evaluations_left(recipe, 7) == 2);
}

TEST_CASE("own text: the scores after an evaluation take their time of the run") {
  TrainOptions recipe;
  recipe.max_iters = 20;
  recipe.eval_interval = 5;
  const Costs costs = {.step = 0.01, .evaluation_batch = 0.001, .checkpoint = 0.02};
  Costs scored = costs;
  scored.scoring = 3;
  CHECK(run_seconds(recipe, scored, 0) - run_seconds(recipe, costs, 0) == doctest::Approx(12));
}

TEST_CASE("own text: evaluates all held-out data if that is cheap, and counts its time") {
  Costs costs = {.step = 0.1, .evaluation_batch = 0.03, .checkpoint = 0.01};
  costs.held_out_batches = 5;
  const TrainOptions exact = fitted(costs, 60);
  CHECK(exact.eval_iters == 0);
  CHECK(exact.can_evaluate_whole(5));
  CHECK(run_seconds(exact, costs, 0) <= 60.001);
  CHECK(run_seconds(exact, costs, 0) > 55);
  costs.held_out_batches = 1000;
  const TrainOptions drawn = fitted(costs, 60);
  CHECK(drawn.eval_iters >= 2);
  CHECK_FALSE(drawn.can_evaluate_at_end(1000));
}
