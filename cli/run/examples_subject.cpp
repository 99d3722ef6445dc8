#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "cli/cluster/cluster.h"
#include "cli/program/command.h"
#include "cli/run/subject.h"
#include "nn/names.h"

namespace gradus {
using namespace detail;
namespace {

/// The time of work(i): the better of two, after one to warm up.
double measured_time(const auto& work) {
  using Clock = std::chrono::steady_clock;
  double best = 1e9;
  for (std::uint32_t i = 0; i < 3; ++i) {
    const auto start = Clock::now();
    work(i);
    const std::chrono::duration<double> seconds = Clock::now() - start;
    best = i > 0 ? std::min(best, seconds.count()) : best;
  }
  return best;
}

/// The time of a step without the optimiser's update.
double measured_step_time(Task& task, const TrainOptions& recipe) {
  const double best = measured_time([&](std::uint32_t i) {
    backward(task.loss(Split::kTrain, recipe.batch_size, {recipe.seed, 0, i}));
  });
  for (NamedTensor& named : trainable(task.parameters())) {
    named.tensor.zero_grad();
  }
  return best * recipe.gradient_accumulation_steps / ranks().size();
}

Costs measured_costs_of(Task& task, const TrainOptions& recipe) {
  const ProductPrecisionScope precision(recipe.dtype);
  Costs costs = costs_of_step(recipe, static_cast<double>(count(task.parameters())),
                              measured_step_time(task, recipe));
  costs.evaluation_batch = measured_time([&](std::uint32_t i) {
    const NoGrad no_grad;
    task.loss(Split::kVal, recipe.batch_size, {recipe.seed, 0, i});
  });
  costs.scoring = task.scoring_examples() * costs.evaluation_batch / recipe.batch_size;
  costs.evaluation_batch /= ranks().size();  // only rank 0 scores
  return costs;
}

class ExamplesSubject final : public Subject {
 public:
  ExamplesSubject(const Settings& settings, std::unique_ptr<Task> task)
      : settings_(settings), task_(std::move(task)) {
    check(settings.recipe.eval_iters > 0,
          "--eval_iters: must be at least 1 for a model trained on examples, got 0");
  }

  Task& task() override { return *task_; }

  Plan plan(std::int64_t done) override {
    Plan plan;
    plan.parameters = static_cast<double>(count(task_->parameters()));
    plan.costs = costs_of_first([&] { return measured_costs_of(*task_, settings_.recipe); });
    plan.seconds = run_seconds(settings_.recipe, plan.costs, done);
    return plan;
  }

  void show(Display& display, const Plan& plan, std::int64_t done) const override {
    const GptConfig& m = settings_.model;
    const TrainOptions& recipe = settings_.recipe;
    display.entry("data", task_->describe());
    display.entry(
        "model", text(name_of(settings_.kind), " of ", with_unit(plan.parameters),
                      " parameters: ", counted(m.n_layer, "layer"), ", ", counted(m.n_head, "head"),
                      ", ", m.n_embd, " channels, ", name_of(m.position), " positions"));
    const std::vector<NamedTensor> trained = trainable(task_->parameters());
    if (count(trained) < static_cast<Index>(plan.parameters)) {
      const auto numbers = static_cast<double>(count(trained));
      display.entry("trained", text(with_unit(numbers), " of these parameters (",
                                    fixed(100 * numbers / plan.parameters, 2), "%)", adapter(),
                                    "; gradients and optimiser: ", in_bytes(memory_of(trained))));
    }
    display.entry("steps", text(recipe.max_iters, " of ",
                                recipe.batch_size * recipe.gradient_accumulation_steps, " examples",
                                done > 0 ? text("; ", done, " are done") : ""));
    display.entry("time", text("about ", in_time(std::max(1.0, plan.seconds)),
                               " (measured: ", fixed(1000 * plan.costs.step, 1), " ms a step)"));
  }

  std::string shorter(const Plan& plan) const override {
    const auto steps = static_cast<std::int64_t>(std::clamp(120 / plan.costs.step, 1.0, 1e9));
    return text("pass --max_iters=", steps, ", which takes about 2 minutes");
  }

  double loss_of_nothing() const override {
    if (beta_of(settings_) > 0) return std::log(2.0);  // of two answers
    return is_gpt() ? gradus::loss_of_nothing(settings_.model) : 0;
  }
  std::string evaluated_on() const override {
    return text("estimated on ", settings_.recipe.eval_iters * settings_.recipe.batch_size,
                " examples drawn from the held-out set");
  }
  std::string sample(std::int64_t) override {
    const NoGrad no_grad;
    return task_->demonstrate();
  }
  void finale() override { print(sample(0)); }
  const char* command() const override { return is_gpt() ? "sample" : "predict"; }

 private:
  /// Describes the adapter, if one is trained.
  std::string adapter() const {
    return settings_.lora == 0 ? ""
                               : text(": an adapter of rank ", settings_.lora, " with alpha ",
                                      settings_.lora_alpha);
  }
  /// The bytes of the gradients of these parameters and of the optimiser's state.
  double memory_of(const std::vector<NamedTensor>& trained) const {
    const Index state = count(settings_.recipe.make_optimiser(trained)->state());
    return sizeof(Scalar) * static_cast<double>(count(trained) + state);
  }
  bool is_gpt() const { return settings_.kind == ModelKind::kGpt; }

  const Settings& settings_;
  std::unique_ptr<Task> task_;
};

}  // namespace

std::unique_ptr<Subject> examples_subject(const Settings& settings, std::unique_ptr<Task> task) {
  return std::make_unique<ExamplesSubject>(settings, std::move(task));
}

}  // namespace gradus
