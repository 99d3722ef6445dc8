/// @file
/// `gradus train`: plan, train, say how to go on, and let the model write.

#include <csignal>
#include <filesystem>
#include <memory>
#include <utility>

#include "autograd/check.h"
#include "cli/profile_table.h"
#include "cli/progress.h"
#include "cli/run.h"
#include "cli/signals.h"
#include "cli/writing.h"
#include "nn/train/gpt_task.h"
#include "nn/train/replace_folder.h"
#include "nn/train/trainer.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;

/// Beside the checkpoints, an out_dir holds:
constexpr const char* kLogFile = "log.jsonl";
constexpr const char* kCurveFile = "loss.svg";

/// As long as `gradus sample` writes by itself; a fable may take longer to its end.
constexpr Index kSampleTokens = 500, kFableTokens = 1500, kShortSampleTokens = 200;

/// An out_dir with a checkpoint is never overwritten unasked.
/// @returns whether an earlier run is in the way and may be put out of it.
bool earlier_run_in_the_way(const Settings& settings, bool is_default_run) {
  const fs::path out_dir = settings.out_dir;
  if (!holds_checkpoint(out_dir)) {
    return false;
  }
  check(is_default_run || settings.overwrite, settings.out_dir,
        ": holds a model of an earlier run (go on with it by --init_from=resume, choose another "
        "--out_dir, or add --overwrite)");
  return true;
}

/// Puts an earlier run out of the way: aside, or for good if it was said to be overwritten.
void clear_out_dir(const Settings& settings) {
  const fs::path out_dir = settings.out_dir;
  if (!settings.overwrite) {
    const fs::path aside = settings.out_dir + ".previous";
    fs::remove_all(aside);
    fs::rename(out_dir, aside);
    note("the earlier run in " + settings.out_dir + " is now in " + aside.string());
    return;
  }
  for (const char* name :
       {"last", "best", ".last.old", ".best.old", "run.json", kLogFile, kCurveFile}) {
    fs::remove_all(out_dir / name);
  }
}

void show_plan(Display& display, const Run& run, const Plan& plan) {
  const GptConfig& model = run.settings.model;
  const TrainOptions& recipe = run.settings.recipe;
  const auto tokens = [&](Split split) {
    return with_unit(static_cast<double>(run.corpus->tokens(split).size()));
  };
  const double per_step = static_cast<double>(recipe.batch_size) *
                          static_cast<double>(model.n_positions) *
                          recipe.gradient_accumulation_steps;
  display.line("Plan", true);
  display.line(text("  text        ", run.corpus->name(), ": ",
                    run.corpus->tokens(Split::kAll).size(), " tokens, ", tokens(Split::kTrain),
                    " to train on, ", tokens(Split::kVal), " to validate"));
  display.line(text("  vocabulary  ", model.vocab_size,
                    run.tokenizer->name() == "char" ? " characters" : " bytes"));
  display.line(text("  model       ", with_unit(plan.parameters), " parameters: ",
                    counted(model.n_layer, "layer"), ", ", counted(model.n_head, "head"), ", ",
                    model.n_embd, " channels, blocks of ", model.n_positions));
  display.line(text("  steps       ", recipe.max_iters, " of ", with_unit(per_step), " tokens and ",
                    with_unit(plan.flops_per_step), "FLOP each",
                    run.state.step > 0 ? text("; ", run.state.step, " are done") : ""));
  display.line("  memory      about " + in_bytes(plan.memory));
  display.line(text("  time        about ", in_time(std::max(1.0, plan.seconds)), " (measured: ",
                    fixed(1000 * plan.seconds_per_step, plan.seconds_per_step < 0.001 ? 3 : 1),
                    " ms a step; BLAS peak ", fixed(plan.peak_gflops, 0), " GFLOP/s)"));
  display.line("  out_dir     " + run.settings.out_dir);
}

/// The command that goes on with this run.
std::string resume_command(const Run& run) {
  std::string command =
      program_name() + " train --init_from=resume " + shell_flag("--out_dir", run.settings.out_dir);
  for (const std::string& name : run.record.texts) {
    if (name == "-") {
      command += " --text=-";
    }
  }
  if (!run.settings.log.empty()) {
    command += " " + shell_flag("--log", run.settings.log);
  }
  return command;
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

/// What `gradus sample` would write first with this run's best checkpoint.
void print_sample(const Run& run) {
  const fs::path best = find_folder(fs::path(run.settings.out_dir) / "best");
  const Gpt model =
      load_model(fs::is_directory(best) ? best : fs::path(run.settings.out_dir) / "last");
  const Opening opening = opening_for(*run.tokenizer, run.record.fables());
  const Index count = run.record.fables() ? kFableTokens : kSampleTokens;
  write_text(model, *run.tokenizer, opening.start, count, opening.options,
             {run.settings.recipe.seed, 0, 0}, opening.end, [&](std::string_view piece) {
               print(piece);
               return StopSignals::received() == 0;
             });
  print("\n");
}

/// What is said and done when the steps are over, or were cut short. Returns the exit code.
int finish(Display& display, const Run& run, const Trainer& trainer, const Progress& progress,
           bool complete) {
  const fs::path out_dir = run.settings.out_dir;
  const std::string trouble = draw_losses(read_losses(out_dir / kLogFile), out_dir / kCurveFile);
  const TrainState& state = trainer.state();
  display.clear();
  if (display.is_closed()) {
    return 128 + SIGPIPE;
  }
  if (!trouble.empty()) {
    note(trouble);
  }
  if (!complete) {
    note(text("stopped after step ", state.step, " of ", run.settings.recipe.max_iters,
              ", saved in ", (out_dir / "last").string(), "\nto go on: ", resume_command(run)));
    return 128 + StopSignals::received();
  }
  display.line(text("done after ", in_time(progress.seconds()), ": best val loss ",
                    fixed(state.best_val_loss.value_or(0), 4), " at step ", state.best_step, "; ",
                    run.settings.out_dir, "/ holds best, last, ", kLogFile,
                    trouble.empty() ? text(" and ", kCurveFile) : ""));
  display.line(text("more: ", program_name(), " sample ",
                    shell_flag("--out_dir", run.settings.out_dir), "\n"));
  print_sample(run);
  return 0;
}

int train(Run& run, Display& display, const Plan& plan) {
  const Settings& settings = run.settings;
  const fs::path out_dir = settings.out_dir;
  const bool resumed = !run.resumed_from.empty();
  if (!run.model) {
    run.model = std::make_unique<Gpt>(settings.model, settings.recipe.seed);
  }
  set_requires_grad(*run.model, true);
  GptTask task(*run.model, *run.corpus, *run.tokenizer);
  Trainer trainer(task, settings.recipe, out_dir);
  if (resumed) {
    trainer.resume(run.resumed_from, run.state);
  }
  save_record(out_dir, run.record);
  std::vector<RunLog> logs;
  logs.emplace_back((out_dir / kLogFile).string(), resumed ? &run.state : nullptr);
  if (!settings.log.empty()) {
    logs.emplace_back(settings.log, resumed ? &run.state : nullptr);
  }
  const StopSignals signals(display.is_terminal()
                                ? "\r\33[Kgradus: stopping after this step (once more: at once)\n"
                                : "gradus: stopping after this step (once more: at once)\n");
  Progress progress(display, logs, plan, settings.recipe, settings.log_interval,
                    [&] { return short_sample(run, trainer.state().step); });
  TrainCallbacks callbacks;
  callbacks.on_step = [&](const StepReport& report) { progress.on_step(report); };
  callbacks.on_eval = [&](const EvalReport& report) { progress.on_eval(report); };
  callbacks.on_eval_progress = [&](auto done, auto of) { progress.on_eval_progress(done, of); };
  callbacks.should_stop = [&] { return StopSignals::received() != 0 || display.is_closed(); };
  Profile profile;
  callbacks.profile = settings.profile ? &profile : nullptr;
  const bool complete = trainer.run(callbacks);
  if (settings.profile && !display.is_closed()) {
    show_profile(display, profile);
  }
  return finish(display, run, trainer, progress, complete);
}

}  // namespace

int train_command(const Arguments& arguments) {
  Settings settings;
  Flags flags("train", "Trains a GPT on a text.");
  add_train_flags(flags, settings);
  if (!flags.parse(arguments)) {
    return 0;
  }
  if (!flags.ignored().empty()) {
    std::string names;
    for (const std::string& name : flags.ignored()) {
      names += (names.empty() ? "" : ", ") + name;
    }
    note(names + ": without meaning here, passed over");
  }
  const bool resume = settings.init_from == "resume";
  Run run = resume ? resumed_run(flags, settings, arguments) : new_run(flags, settings, arguments);
  const bool is_default_run = run.settings.texts.empty() && !flags.given("--out_dir");
  const bool in_the_way = !resume && earlier_run_in_the_way(run.settings, is_default_run);
  run.corpus = std::make_unique<Corpus>(run.text, *run.tokenizer);
  run.corpus->require_blocks(static_cast<int>(run.settings.model.n_positions));
  const Plan plan = make_plan(run.settings.model, run.settings.recipe,
                              static_cast<double>(run.corpus->text_bytes()), run.state.step);
  run.text = Text();  // its tokens are enough from here on
  Display display;
  show_plan(display, run, plan);
  if (run.settings.dry_run) {
    return 0;
  }
  make_folder(run.settings.out_dir);
  if (in_the_way) {
    clear_out_dir(run.settings);
  }
  return train(run, display, plan);
}

}  // namespace gradus
