#include "cli/run/carry_out.h"

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <new>
#include <stdexcept>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/parallel_for.h"
#include "cli/cluster/cluster.h"
#include "cli/program/display.h"
#include "cli/program/signals.h"
#include "cli/run/checkpoints.h"
#include "cli/run/log.h"
#include "cli/run/loss_curve.h"
#include "cli/run/out_dir.h"
#include "cli/run/plan.h"
#include "cli/run/profile_table.h"
#include "cli/run/progress.h"
#include "nn/digest.h"
#include "nn/files/replace_folder.h"
#include "nn/names.h"
#include "nn/train/exact_loss.h"
#include "nn/train/trainer.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

/// The exit code after the answer no to a question: the same as after Ctrl-C.
constexpr int kDeclined = 130;

/// The command that resumes this run.
std::string resume_command(const Run& run) {
  std::string command =
      train_on_ranks() + " --init_from=resume " + shell_flag("--out_dir", run.settings.out_dir);
  for (const std::string& name : run.record.texts) {
    if (name == "-") {
      command += " --text=-";
    }
  }
  if (!run.settings.log.empty()) {
    command += " " + shell_flag("--log", run.settings.log);
  }
  if (run.settings.log_interval != Settings().log_interval) {
    command += text(" --log_interval=", run.settings.log_interval);
  }
  return command;
}

/// A file for tools/cluster.sh with the command that resumes the run, in case a rank ends
/// abnormally. It is empty until there is a checkpoint, and is removed when the run ends normally.
class LastWords {
 public:
  /// Does nothing unless this rank writes the file.
  explicit LastWords(bool writes) {
    const char* file = std::getenv("GRADUS_LAST_WORDS");
    if (writes && file != nullptr) file_ = file;
    leave("");
  }
  ~LastWords() {
    std::error_code ignored;
    if (!file_.empty()) fs::remove(file_, ignored);
  }
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;

  void leave(const std::string& command) const {
    if (!file_.empty()) std::ofstream(file_) << command;
  }

 private:
  fs::path file_;
};

/// The exit code of a run that was stopped. The signal may have arrived at another rank.
int code_of_stop() {
  const int signal = StopSignals::received();
  return 128 + (signal != 0 ? signal : SIGTERM);
}

/// Draws the log's losses. A fault in the log must not end the run, because the training is done:
/// returns the text of the error.
std::string draw_curve(const fs::path& out_dir) {
  try {
    draw_losses(read_losses(out_dir / kLogFile), out_dir / kCurveFile);
    return "";
  } catch (const std::exception& error) {
    return text("the loss curve was not drawn: ", error.what());
  }
}

/// Prints at which step a run stopped, and the command that resumes it.
std::string how_to_go_on(const Run& run, const Trainer& trainer) {
  return text("stopped after step ", trainer.state().step, " of ", run.settings.recipe.max_iters,
              "; checkpoint saved in ", (fs::path(run.settings.out_dir) / "last").string(),
              "\nto resume: ", resume_command(run));
}

/// The command that measures this run's best checkpoint.
std::string eval_command_of(const Run& run) {
  return program_name() + " eval " + shell_flag("--out_dir", run.settings.out_dir);
}

/// Shows the results after the last step or after a signal. Returns the exit code.
int finish(Display& display, const Run& run, const Trainer& trainer, Progress& progress,
           bool complete) {
  const fs::path out_dir = run.settings.out_dir;
  const TrainState& state = trainer.state();
  const bool begun = complete || state.step > 0 || !run.resumed_from.empty();
  const std::string trouble = begun ? draw_curve(out_dir) : "";
  display.clear();
  if (complete) progress.show_chart();
  if (display.is_closed()) {
    return 128 + SIGPIPE;
  }
  if (!trouble.empty()) {
    note(trouble);
  }
  if (!begun) {
    for (const char* name : {kRecordFile, kLogFile, kCurveFile}) {
      fs::remove(out_dir / name);
    }
    note("stopped before the first step; nothing was saved");
    return code_of_stop();
  }
  if (!complete) {
    note(how_to_go_on(run, trainer));
    return code_of_stop();
  }
  const bool early = state.step < run.settings.recipe.max_iters;
  const std::optional<ExactLoss> exact =
      state.best_val_loss ? run.subject->exact_loss_of_best(display) : std::nullopt;
  display.clear();
  const double best = exact ? exact->loss : state.best_val_loss.value_or(0);
  const double bytes_per_token = run.subject->bytes_per_token().val;
  const double bits = bits_per_byte(best, bytes_per_token);
  const bool is_estimate = run.settings.recipe.eval_iters > 0 && bytes_per_token > 0;
  const double nothing = run.subject->loss_of_nothing();
  display.line(text(
      "done after ", in_time(progress.seconds()),
      early ? text(", stopped at step ", state.step, " without improvement") : "",
      ": best val loss ", fixed(best, 4),
      bits > 0 ? text(" (", fixed(bits, 3), " bits per byte)") : "",
      exact ? text(", exact, on all ", exact->tokens, " held-out tokens")
            : ", " + run.subject->evaluated_on() +
                  (is_estimate ? " ('" + eval_command_of(run) + "' evaluates all)" : ""),
      ", at step ", state.best_step,
      nothing > 0 ? text("; random guessing: ", fixed(nothing, 4)) : "", "; ", run.settings.out_dir,
      "/ holds best, last, ", kLogFile, trouble.empty() ? text(" and ", kCurveFile) : ""));
  if (nothing > 0 && best >= nothing) {
    note(text("the best checkpoint is no better than random guessing: its loss is ", fixed(best, 4),
              ", the loss of random guessing is ", fixed(nothing, 4),
              " (train for more steps, or change --learning_rate)"));
  }
  display.line(text("next: ", program_name(), " ", run.subject->command(), " ",
                    shell_flag("--out_dir", run.settings.out_dir), "\n"));
  run.subject->finale();
  return 0;
}

/// Checks that all ranks have the same recipe and model, and compute alike.
void check_runs_alike(const TrainOptions& recipe, Task& task) {
  visit_fields(recipe, [&]<class Value>(const char* name, const Value& value) {
    Digest digest;
    if constexpr (std::is_enum_v<Value>) {
      digest.add(std::string_view(name_of(value)));
    } else {
      digest.add(static_cast<double>(value));
    }
    check_alike(text("--", name), digest, "pass this flag: its default depends on the machine");
  });
  Digest weights;
  for (const NamedTensor& named : task.parameters()) {
    weights.add(named.tensor);
  }
  check_alike("model", weights, "start all ranks with one mpirun command");
  const NoGrad no_grad;
  const ProductPrecisionScope precision(recipe.dtype);
  Digest loss;
  loss.add(task.loss(Split::kTrain, 1, {recipe.seed, 0, 0}).item());
  check_alike("loss of one example", loss,
              "other kinds of processors round differently: use machines of one kind");
}

/// Makes the trainer of a new or resumed run; the same on all ranks.
std::unique_ptr<Trainer> begun(const Run& run, Task& task) {
  const Settings& s = run.settings;
  auto trainer = std::make_unique<Trainer>(task, s.recipe, s.out_dir, &ranks());
  if (!run.resumed_from.empty()) {
    trainer->resume(run.resumed_from, run.state);
  }
  remove_copies();
  if (ranks().size() > 1) {
    check_runs_alike(s.recipe, task);
  }
  return trainer;
}

bool run_within_memory(Trainer& trainer, const TrainCallbacks& callbacks) {
  try {
    return trainer.run(callbacks);
  } catch (const std::bad_alloc&) {
    throw std::runtime_error(
        "out of memory (choose a smaller --batch_size, --block_size, --n_embd or --n_layer)");
  }
}

/// Adds to a plan the share that each rank computes of a step.
void show_shares(Display& display, const TrainOptions& recipe) {
  const StepShare share = share_of_step(recipe, ranks());
  if (ranks().size() == 1) {
    return;
  }
  display.entry(
      "ranks",
      text(ranks().size(), ", each with ",
           share.has_whole_batches
               ? text(share.batches, " of the ", recipe.gradient_accumulation_steps, " batches")
               : text(share.rows.count, " of the ", recipe.batch_size, " rows of a batch"),
           ", ", counted(num_threads(), "thread"),
           recipe.local_steps > 0 ? text(", weights averaged every ",
                                         counted(static_cast<long>(recipe.local_steps), "step"))
                                  : ""));
}

/// Trains until the end or a signal, in an out_dir that the run holds. Returns the exit code.
int train(const Run& run, const Plan& plan, Display& display) {
  const Settings& settings = run.settings;
  const fs::path out_dir = settings.out_dir;
  const bool resumed = !run.resumed_from.empty();
  const bool writes = !out_dir.empty();
  const std::unique_ptr<Trainer> begun_trainer = begun(run, run.subject->task());
  Trainer& trainer = *begun_trainer;
  std::vector<RunLog> logs;
  if (writes) {
    save_record(out_dir, run.record);
    logs.emplace_back((out_dir / kLogFile).string(), resumed ? &run.state : nullptr);
  }
  if (!settings.log.empty()) {
    logs.emplace_back(settings.log, resumed ? &run.state : nullptr);
  }
  const bool is_alone = ranks().size() == 1;
  const LastWords last_words(writes);
  if (resumed) last_words.leave(resume_command(run));
  const StopSignals signals(
      !is_alone ? ""  // tools/cluster.sh reports it, or mpirun ends all after another rank's end
      : display.is_terminal()
          // below the live line, where the cursor returns
          ? "\n\33[Kgradus: stopping after this step (Ctrl-C again: stop now)"
            "\33[A\r"
          : "gradus: stopping after this step (Ctrl-C again: stop now)\n",
      !is_alone);
  Progress progress(
      display, logs, plan, settings.recipe, run.subject->bytes_per_token(), settings.log_interval,
      [&] { return run.subject->sample(trainer.state().step); },
      resumed && display.is_terminal() ? read_losses(out_dir / kLogFile) : LossHistory());
  TrainCallbacks callbacks;
  // If a log cannot be written, the run ends after the model is saved.
  std::string trouble;
  const auto shown = [&](const auto& show) {
    try {
      show();
    } catch (const std::runtime_error& error) {
      trouble = error.what();
    }
  };
  callbacks.on_step = [&](const StepReport& r) { shown([&] { progress.on_step(r); }); };
  callbacks.on_eval = [&](const EvalReport& r) { shown([&] { progress.on_eval(r); }); };
  // First the logs: a resumed run adds no lines for steps before its checkpoint.
  callbacks.before_checkpoint = [&] {
    for (RunLog& log : logs) {
      shown([&] { log.sync(); });
    }
  };
  callbacks.on_checkpoint = [&](const fs::path&) { last_words.leave(resume_command(run)); };
  callbacks.on_eval_progress = [&](auto done, auto of) { progress.on_eval_progress(done, of); };
  callbacks.should_stop = [&] {
    return StopSignals::received() != 0 || display.is_closed() || !trouble.empty();
  };
  Profile profile;
  callbacks.profile = settings.profile ? &profile : nullptr;
  const bool complete = run_within_memory(trainer, callbacks);
  const std::vector<RankTimes> times =
      settings.profile ? times_of_ranks(ranks(), profile) : std::vector<RankTimes>();
  if (!trouble.empty()) {
    display.clear();
    note(how_to_go_on(run, trainer));
    throw std::runtime_error(trouble);
  }
  if (settings.profile && !display.is_closed()) {
    show_profile(display, profile);
    show_ranks(display, times);
  }
  return writes ? finish(display, run, trainer, progress, complete) : 0;
}

void show(Display& display, const Run& run, const Plan& plan) {
  display.line("Plan", true);
  run.subject->show(display, plan, run.state.step);
  show_shares(display, run.settings.recipe);
  display.entry("out_dir", run.settings.out_dir);
  const std::string again = run.subject->again();
  if (!again.empty()) {
    display.line("  again       " + again);
  }
}

}  // namespace

int carry_out(const Run& run) {
  const Settings& s = run.settings;
  share_of_step(s.recipe, ranks());  // checks
  const Plan plan = run.subject->plan(run.state.step);
  Display display;
  show(display, run, plan);
  const bool begins =
      agreed_to_length(display, plan.seconds, run.subject->shorter(plan), s.yes || s.dry_run);
  const bool resumed = !run.resumed_from.empty();
  if (s.dry_run && !resumed) {
    note_what_is_in_the_way(s, run.is_default);
  }
  if (s.dry_run || !begins) {
    return begins ? 0 : kDeclined;
  }
  // A resumed run holds its out_dir already.
  const std::optional<RunLock> lock = resumed ? std::nullopt : claim_out_dir(s, run.is_default);
  return train(run, plan, display);
}

}  // namespace gradus
