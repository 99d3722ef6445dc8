/// @file
/// `gradus train`: plan, train, say how to go on, and let the model write.

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "autograd/check.h"
#include "autograd/kernels/allocator.h"
#include "cli/cluster/cluster.h"
#include "cli/program/machine.h"
#include "cli/program/signals.h"
#include "cli/program/writing.h"
#include "cli/run/run.h"
#include "cli/run/settle.h"
#include "cli/run/train_task.h"
#include "cli/run/training_run.h"
#include "nn/files/replace_folder.h"
#include "nn/tasks/gpt_task.h"
#include "nn/train/exact_loss.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

/// As long as `gradus sample` writes by itself; a fable may take longer to its end.
constexpr Index kSampleTokens = 500, kFableTokens = 1500, kShortSampleTokens = 200;

/// Bytes per token are counted in so many of the first tokens of a split: as a rule in all.
constexpr std::size_t kCountedTokens = std::size_t{1} << 24;

/// A plan for some minutes says what so many times as long would bring.
constexpr double kMoreTime = 5;

/// What the vocabulary counts.
const char* units_of(const Tokenizer& tokenizer) {
  const std::string kind = tokenizer.name();
  return kind == "char" ? " characters" : kind == "byte" ? " bytes" : " tokens";
}

/// The bytes of text in these tokens, for each of them.
double bytes_of(std::span<const std::int32_t> tokens, const Tokenizer& tokenizer) {
  const auto part = tokens.first(std::min(tokens.size(), kCountedTokens));
  return static_cast<double>(target_bytes(part, tokenizer)) /
         static_cast<double>(std::max<std::size_t>(2, part.size()) - 1);
}

/// Shortens the blocks of an own recipe to what a short text has room for.
void fit_to_text(const Flags& flags, Run& run) {
  const auto held_out = static_cast<Index>(run.corpus->tokens(Split::kVal).size());
  if (run.settings.recipe_name == "own" && !flags.given("--block_size")) {
    check(held_out > 1, run.corpus->name(), ": has ",
          counted(static_cast<long>(run.corpus->tokens(Split::kAll).size()), "token"),
          ", too few to learn from, as a tenth is held out (give at least 11, better some "
          "thousand)");
    Index& block = run.settings.model.n_positions;
    block = std::min(block, held_out - 1);
  }
  check(run.begun_from.empty() || held_out > run.settings.model.n_positions, run.corpus->name(),
        ": the last tenth, which is held out, has ", counted(held_out, "token"),
        ", too few for the model's blocks of ", run.settings.model.n_positions, " (give at least ",
        10 * run.settings.model.n_positions + 1, " tokens)");
  run.corpus->require_blocks(static_cast<int>(run.settings.model.n_positions));
}

/// The batches of a model and recipe that go once through what is held out.
std::int64_t held_out_batches(const Run& run) {
  return exact_batches(run.corpus->tokens(Split::kVal).size(), run.settings.model.n_positions,
                       run.settings.recipe.batch_size);
}

/// Settles the steps by the time that they are to take.
Costs fit_to_time(const Flags& flags, Run& run, std::int64_t held_out) {
  Settings& s = run.settings;
  const double seconds = 60 * s.minutes;
  check_memory(memory_needed(s.model, s.recipe, static_cast<double>(run.corpus->text_bytes())),
               "train");
  Costs costs;
  if (ranks().is_first()) {
    Gpt model(s.model, s.recipe.seed);
    set_requires_grad(model, true);
    GptTask task(model, *run.corpus, *run.tokenizer);
    const double measuring = std::clamp(0.04 * seconds, 0.02, 4.0);
    costs = measured_costs(task, s.recipe, measuring);
    if ((run.load_of_others = load_of_others()) > 0) {
      const Costs again = measured_costs(task, s.recipe, measuring);
      costs.step = std::min(costs.step, again.step);
      costs.evaluation_batch = std::min(costs.evaluation_batch, again.evaluation_batch);
    }
  }
  costs.held_out_batches = held_out;
  for (double* cost : {&costs.step, &costs.evaluation_batch, &costs.checkpoint, &costs.scoring}) {
    *cost = found_by_first([&] { return *cost; });
  }
  release_cached_memory();
  const bool settled = flags.given("--eval_interval") || flags.given("--eval_iters");
  fit_steps(s.recipe, costs, seconds, s.recipe_name == "own" ? s.recipe.max_iters : kMostSteps,
            settled);
  if (!flags.given("--warmup_iters")) {
    s.recipe.schedule.warmup = std::min(s.recipe.schedule.warmup, s.recipe.max_iters / 10);
  }
  complete_schedule(flags, s);
  return costs;
}

/// Why the run is as long and as large as it is.
std::string reason(const Run& run, const Plan& plan) {
  const Settings& s = run.settings;
  const double seconds = 60 * s.minutes;
  std::string out = "sized for " + in_time(seconds);
  if (s.recipe_name != "own") {
    return out + " by the number of steps";
  }
  if (plan.seconds < 0.85 * seconds) {
    out += "; more steps would only memorise so short a text";
  }
  const OwnSizes more =
      own_sizes(static_cast<double>(run.corpus->text_bytes()), kMoreTime * run.reference_steps);
  const bool larger = more.n_layer > s.model.n_layer || more.n_embd > s.model.n_embd;
  return out + (larger ? text("; --minutes ", kMoreTime * s.minutes, " takes ",
                              counted(more.n_layer, "layer"), " of ", more.n_embd, " channels")
                       : "");
}

/// What the losses of evaluations are the mean of.
std::string evaluated_on(const Run& run) {
  const TrainOptions& recipe = run.settings.recipe;
  const std::size_t all = run.corpus->tokens(Split::kVal).size() - 1;
  const Index drawn = recipe.eval_iters * recipe.batch_size * run.settings.model.n_positions;
  return recipe.eval_iters == 0
             ? text("exact, on all ", all, " tokens that are held out")
             : text("estimated on ", drawn, " tokens drawn from the ", all, " that are held out");
}

void show_plan(Display& display, const Run& run, const Plan& plan, const BytesPerToken& bytes) {
  const GptConfig& model = run.settings.model;
  const TrainOptions& recipe = run.settings.recipe;
  const auto tokens = [&](Split split) {
    return with_unit(static_cast<double>(run.corpus->tokens(split).size()));
  };
  const double per_step = static_cast<double>(recipe.batch_size) *
                          static_cast<double>(model.n_positions) *
                          recipe.gradient_accumulation_steps;
  display.line("Plan", true);
  display.entry("text",
                text(run.corpus->name(), ": ", run.corpus->tokens(Split::kAll).size(), " tokens, ",
                     tokens(Split::kTrain), " to train on, ", tokens(Split::kVal), " to validate"));
  display.entry("vocabulary", text(model.vocab_size, units_of(*run.tokenizer)));
  display.entry("model", text(with_unit(plan.parameters), " parameters: ",
                              counted(model.n_layer, "layer"), ", ", counted(model.n_head, "head"),
                              ", ", model.n_embd, " channels, blocks of ", model.n_positions));
  if (!run.begun_from.empty()) {
    display.entry("begins", "with what " + run.begun_from.string() + " has learnt");
  }
  display.entry("steps", text(recipe.max_iters, " of ", with_unit(per_step), " tokens and ",
                              with_unit(plan.flops_per_step), "FLOP each",
                              run.state.step > 0 ? text("; ", run.state.step, " are done") : ""));
  if (run.settings.minutes > 0) {
    display.entry("", reason(run, plan));
  }
  display.entry("evaluation",
                text("every ", counted(static_cast<long>(recipe.eval_interval), "step"), ", ",
                     evaluated_on(run)));
  const double nothing = loss_of_nothing(model);
  display.entry("loss", text(fixed(nothing, 4), " where nothing is known, ",
                             fixed(bits_per_byte(nothing, bytes.val), 2), " bits per byte"));
  display.entry("memory", "about " + in_bytes(plan.memory));
  display.entry("time",
                text("about ", in_time(std::max(1.0, plan.seconds)),
                     " (measured: ", fixed(1000 * plan.costs.step, plan.costs.step < 0.001 ? 3 : 1),
                     " ms a step; ", plan.peak, " ", fixed(plan.peak_gflops, 0), " GFLOP/s)"));
  if (run.load_of_others > 0) {
    display.entry(
        "",
        text("other programs are busy (load ", fixed(run.load_of_others, 1), " on ",
             counted(sysconf(_SC_NPROCESSORS_ONLN), "core"),
             "): measured twice, the faster counts, and fewer steps fit than on an idle machine"));
  }
  show_shares(display, recipe);
  display.entry("out_dir", run.settings.out_dir);
}

/// A few lines of the model as it is now, indented.
std::string short_sample(const Run& run, std::int64_t step) {
  const Opening opening = opening_for(*run.tokenizer, run.record.fables());
  std::string out = "  ";
  const RandomKey key{run.settings.recipe.seed, static_cast<std::uint32_t>(step), 0};
  write_text(*run.model, *run.tokenizer, opening.start, kShortSampleTokens, opening.options, key,
             opening.end, [&](std::string_view piece) {
               for (const char c : piece) {
                 out += c == '\n' ? std::string("\n  ") : std::string(1, c);
               }
               return StopSignals::received() == 0;
             });
  return out;
}

Gpt best_model(const Run& run) {
  const fs::path best = find_folder(fs::path(run.settings.out_dir) / "best");
  return load_model(fs::is_directory(best) ? best : fs::path(run.settings.out_dir) / "last");
}

/// What `gradus eval` finds for this run's best checkpoint; nothing if a signal came.
std::optional<ExactLoss> exact_loss_of_best(const Run& run, Display& display) {
  struct Stopped {};
  try {
    return exact_loss(best_model(run), run.corpus->tokens(Split::kVal),
                      run.settings.recipe.batch_size, [&](double share) {
                        display.live({fixed(100 * share, 0) + "% of the exact loss"});
                        if (StopSignals::received() != 0) throw Stopped();
                      });
  } catch (const Stopped&) {
    return std::nullopt;
  }
}

/// What `gradus sample` would write first with this run's best checkpoint.
void print_sample(const Run& run) {
  const Gpt model = best_model(run);
  const Opening opening = opening_for(*run.tokenizer, run.record.fables());
  const Index count = run.record.fables() ? kFableTokens : kSampleTokens;
  write_text(model, *run.tokenizer, opening.start, count, opening.options,
             {run.settings.recipe.seed, 0, 0}, opening.end, [&](std::string_view piece) {
               print(piece);
               return StopSignals::received() == 0;
             });
  print("\n");
}

/// What takes less than a long run.
std::string shorter_run(const Run& run) {
  const bool by_iters = run.settings.minutes == 0 && run.settings.recipe_name != "nanogpt";
  return !run.resumed_from.empty()  ? "a smaller --max_iters"
         : run.settings.minutes > 0 ? "fewer --minutes"
         : by_iters                 ? "--minutes 2 in place of --max_iters"
                    : "--recipe own --minutes 2 chooses model and steps for 2 minutes, "
                      "without --max_iters and sizes";
}

/// What the model of a run learns; makes a model if it has none yet.
GptTask task_of(Run& run) {
  if (!run.model) {
    run.model = std::make_unique<Gpt>(run.settings.model, run.settings.recipe.seed);
  }
  set_requires_grad(*run.model, true);
  return {*run.model, *run.corpus, *run.tokenizer};
}

int train(Run& run, Display& display, const Plan& plan, const BytesPerToken& bytes) {
  GptTask task = task_of(run);
  std::function<std::optional<ExactLoss>()> exact_loss_of_run;
  if (run.settings.recipe.can_evaluate_at_end(held_out_batches(run))) {
    exact_loss_of_run = [&] { return exact_loss_of_best(run, display); };
  }
  const TrainingRun training{.settings = run.settings,
                             .task = task,
                             .plan = plan,
                             .record = run.record,
                             .resumed_from = run.resumed_from,
                             .state = run.state,
                             .bytes_per_token = bytes,
                             .loss_of_nothing = loss_of_nothing(run.settings.model),
                             .exact_loss = exact_loss_of_run,
                             .evaluated_on = evaluated_on(run),
                             .sample = [&](std::int64_t step) { return short_sample(run, step); },
                             .finale = [&] { print_sample(run); },
                             .command = "sample"};
  return run_training(training, display);
}

}  // namespace

int train_command(const Arguments& given) {
  join_ranks(given);
  Settings settings;
  Flags flags("train", "Trains a model: a GPT on a text, or another on examples.");
  add_train_flags(flags, settings);
  if (!flags.parse(given)) {
    return 0;
  }
  check_ignored(flags, settings);
  const bool resume = settings.init_from == "resume", is_first = ranks().is_first();
  std::optional<RunLock> lock;  // a run that goes on needs it before it reads its last step
  fs::path folder;
  if (resume && is_first) {
    if (!flags.given("--out_dir")) {
      settings.out_dir = config_of(settings).empty() ? newest_out_dir() : kConfigOutDir;
    }
    folder = find_checkpoint(settings.out_dir, settings.checkpoint);
    if (!settings.dry_run) {
      lock.emplace(settings.out_dir);
      folder = find_checkpoint(settings.out_dir, settings.checkpoint);
    }
  }
  const Arguments arguments = shared_arguments(flags, settings, given);
  if (!is_first) {
    flags.parse(arguments);
  }
  if (resume) {
    folder = shared_checkpoint(folder, flags);
    settings.out_dir = is_first ? settings.out_dir : out_dir_of(folder).string();
    const auto record = load_record(out_dir_of(folder));
    if (kind_of_checkpoint(folder) != ModelKind::kGpt || (record && !record->data.empty())) {
      return resume_task(flags, settings, arguments, folder);
    }
  } else if (settings.kind != ModelKind::kGpt || flags.given("--data")) {
    return train_task(flags, settings, arguments);
  }
  Run run = resume ? resumed_run(flags, settings, arguments, folder)
                   : new_run(flags, settings, arguments);
  const bool is_default_run = run.settings.texts.empty() && !flags.given("--out_dir");
  if (is_first && !resume && !run.settings.dry_run) {
    check_out_dir(run.settings, is_default_run);
  }
  run.corpus = std::make_unique<Corpus>(run.text, *run.tokenizer);
  run.text = Text();  // its tokens are enough from here on
  fit_to_text(flags, run);
  const auto text_bytes = static_cast<double>(run.corpus->text_bytes());
  const bool timed = run.settings.minutes > 0;
  const std::int64_t held_out = held_out_batches(run);
  const bool fits_evaluations = timed && !flags.given("--eval_interval");
  if (!resume && !fits_evaluations && !flags.given("--eval_iters") &&
      run.settings.recipe.can_evaluate_whole(held_out)) {
    run.settings.recipe.eval_iters = 0;
  }
  const Costs costs = timed ? fit_to_time(flags, run, held_out) : Costs();
  share_of_step(run.settings.recipe, ranks());  // checks
  if (!is_first) {
    if (run.settings.dry_run) return 0;
    GptTask task = task_of(run);
    return follow_training(run.settings, task, run.resumed_from, run.state);
  }
  const auto& [model, recipe] = std::tie(run.settings.model, run.settings.recipe);
  const Plan plan = timed ? make_plan(model, recipe, text_bytes, 0, costs)
                          : make_plan(model, recipe, text_bytes, run.state.step, held_out);
  const BytesPerToken bytes = {bytes_of(run.corpus->tokens(Split::kTrain), *run.tokenizer),
                               bytes_of(run.corpus->tokens(Split::kVal), *run.tokenizer)};
  Display display;
  show_plan(display, run, plan, bytes);
  if (timed || run.settings.recipe_name == "own") {
    settings = run.settings;
    display.line("  again       " + repeating_command(flags, settings));
  }
  const bool begins = agreed_to_length(display, plan.seconds, shorter_run(run),
                                       run.settings.yes || run.settings.dry_run);
  if (run.settings.dry_run && !resume) {
    note_what_is_in_the_way(run.settings, is_default_run);
  }
  if (run.settings.dry_run || !begins) {
    return begins ? 0 : kDeclined;
  }
  if (!resume) {
    lock.emplace(claim_out_dir(run.settings, is_default_run));
  }
  return train(run, display, plan, bytes);
}

}  // namespace gradus
