#include "cli/run/train_task.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "cli/cluster/cluster.h"
#include "cli/program/display.h"
#include "cli/program/machine.h"
#include "cli/program/signals.h"
#include "cli/run/settle.h"
#include "cli/run/training_run.h"
#include "cli/tasks/tasks.h"
#include "nn/files/checkpoint.h"
#include "nn/train/exact_loss.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

/// The time of work(i), the best of two after one that warms up.
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

/// The time of a step without its update.
double measured_step_time(Task& task, const TrainOptions& recipe) {
  const double best = measured_time([&](std::uint32_t i) {
    backward(task.loss(Split::kTrain, recipe.batch_size, {recipe.seed, 0, i}));
  });
  for (NamedTensor& named : trainable(task.parameters())) {
    named.tensor.zero_grad();
  }
  return best * recipe.gradient_accumulation_steps / ranks().size();
}

Plan make_plan(Task& task, const TrainOptions& recipe, std::int64_t done) {
  const ProductPrecisionScope precision(recipe.dtype);
  Plan plan;
  plan.parameters = static_cast<double>(count(task.parameters()));
  plan.costs = costs_of_step(recipe, plan.parameters, measured_step_time(task, recipe));
  plan.costs.evaluation_batch = measured_time([&](std::uint32_t i) {
    const NoGrad no_grad;
    task.loss(Split::kVal, recipe.batch_size, {recipe.seed, 0, i});
  });
  plan.costs.scoring = task.scoring_examples() * plan.costs.evaluation_batch / recipe.batch_size;
  plan.costs.evaluation_batch /= ranks().size();  // the first rank alone scores
  plan.seconds = run_seconds(recipe, plan.costs, done);
  return plan;
}

void show_plan(Display& display, const Settings& settings, const Task& task, const Plan& plan,
               std::int64_t done) {
  const GptConfig& m = settings.model;
  const TrainOptions& recipe = settings.recipe;
  display.line("Plan", true);
  display.entry("data", task.describe());
  display.entry("model",
                text(name_of(settings.kind), " of ", with_unit(plan.parameters),
                     " parameters: ", counted(m.n_layer, "layer"), ", ", counted(m.n_head, "head"),
                     ", ", m.n_embd, " channels, ", name_of(m.position), " positions"));
  display.entry("steps", text(recipe.max_iters, " of ",
                              recipe.batch_size * recipe.gradient_accumulation_steps, " examples",
                              done > 0 ? text("; ", done, " are done") : ""));
  display.entry("time", text("about ", in_time(std::max(1.0, plan.seconds)),
                             " (measured: ", fixed(1000 * plan.costs.step, 1), " ms a step)"));
  show_shares(display, recipe);
  display.entry("out_dir", settings.out_dir);
}

}  // namespace

int run_task(const Settings& settings, Task& task, const fs::path& resumed_from,
             const TrainState& state) {
  const bool resumed = !resumed_from.empty();
  const bool is_default_run = settings.out_dir == task_defaults(settings.kind).out_dir;
  share_of_step(settings.recipe, ranks());  // checks
  check(settings.recipe.eval_iters > 0,
        "--eval_iters=0: reads all of a text that is held out, and examples are drawn (give at "
        "least 1)");
  if (!ranks().is_first()) {
    return settings.dry_run ? 0 : follow_training(settings, task, resumed_from, state);
  }
  if (!resumed && !settings.dry_run) {
    check_out_dir(settings, is_default_run);
  }
  const Plan plan = make_plan(task, settings.recipe, state.step);
  Display display;
  show_plan(display, settings, task, plan, state.step);
  const auto steps = static_cast<std::int64_t>(std::clamp(120 / plan.costs.step, 1.0, 1e9));
  const std::string shorter = text("--max_iters=", steps, " ends in about 2 minutes");
  const bool begins =
      agreed_to_length(display, plan.seconds, shorter, settings.yes || settings.dry_run);
  if (settings.dry_run && !resumed) {
    note_what_is_in_the_way(settings, is_default_run);
  }
  if (settings.dry_run || !begins) {
    return begins ? 0 : kDeclined;
  }
  std::optional<RunLock> lock;  // one that goes on is locked already
  if (!resumed) {
    lock.emplace(claim_out_dir(settings, is_default_run));
  }
  const RunRecord record{.texts = {},
                         .bytes = 0,
                         .checksum = "",
                         .data = settings.data.empty() ? "built-in" : absolute_data(settings.data),
                         .loss_on_prompt = settings.loss_on_prompt,
                         .examples = settings.examples};
  const auto shown = [&] {
    const NoGrad no_grad;
    return task.demonstrate();
  };
  return run_training(
      {.settings = settings,
       .task = task,
       .plan = plan,
       .record = record,
       .resumed_from = resumed_from,
       .state = state,
       .bytes_per_token = {},
       .loss_of_nothing = settings.kind == ModelKind::kGpt ? loss_of_nothing(settings.model) : 0,
       .exact_loss = {},
       .evaluated_on =
           text("estimated on ", settings.recipe.eval_iters * settings.recipe.batch_size,
                " examples drawn from those that are held out"),
       .sample = [&](std::int64_t) { return shown(); },
       .finale = [&] { print(shown()); },
       .command = settings.kind == ModelKind::kGpt ? "sample" : "predict"},
      display);
}

int train_task(Flags& flags, Settings& settings, const Arguments& arguments) {
  settle_new_task(flags, settings, arguments);
  settings.recipe.validate();
  return run_task(settings, *make_task(settings, {}), {}, {});
}

int resume_task(Flags& flags, Settings& settings, const Arguments& arguments,
                const fs::path& checkpoint) {
  const std::optional<TrainState> state = load_state(checkpoint);
  check(
      state.has_value(), checkpoint.string(),
      ": has no training state, so that it can be used but not resumed (give a folder that gradus "
      "train wrote; gradus finetune teaches a model that others made)");
  const std::optional<RunRecord> record = load_record(out_dir_of(checkpoint));
  if (record) {
    check_readable(*record, out_dir_of(checkpoint));
  }
  Settings kept = settings_of(checkpoint);
  kept.has_prompts = kept.kind == ModelKind::kGpt;
  kept.recipe = state->options;
  kept.out_dir = settings.out_dir;
  kept.data = record && record->data != "built-in" ? record->data : "";
  kept.loss_on_prompt = record && record->loss_on_prompt;
  kept.examples = record ? record->examples : 0;
  for (const std::string& change :
       settle_resumed_run(flags, settings, arguments, kept, state->step)) {
    note("from here on: " + change);
  }
  settings.recipe.validate();
  return run_task(settings, *make_task(settings, checkpoint), checkpoint, *state);
}

}  // namespace gradus
