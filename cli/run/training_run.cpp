#include "cli/run/training_run.h"

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
#include "cli/program/signals.h"
#include "cli/run/profile_table.h"
#include "nn/files/digest.h"
#include "nn/files/replace_folder.h"
#include "nn/names.h"
#include "nn/train/exact_loss.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

/// Beside the checkpoints, an out_dir holds:
constexpr const char* kLogFile = "log.jsonl";
constexpr const char* kCurveFile = "loss.svg";

/// The command that goes on with this run.
std::string resume_command(const TrainingRun& run) {
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

/// What tools/cluster.sh is left with if a rank dies: a file with the command that goes on, empty
/// until there is a checkpoint. It is gone when the run has ended by itself, and has said how.
class LastWords {
 public:
  LastWords() {
    if (const char* file = std::getenv("GRADUS_LAST_WORDS")) file_ = file;
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

/// The exit code of a run that was stopped. The signal may have come to another rank.
int code_of_stop() {
  const int signal = StopSignals::received();
  return 128 + (signal != 0 ? signal : SIGTERM);
}

/// Draws the log's losses. Whatever is wrong with that log, the training is done: returns what was.
std::string draw_curve(const fs::path& out_dir) {
  try {
    draw_losses(read_losses(out_dir / kLogFile), out_dir / kCurveFile);
    return "";
  } catch (const std::exception& error) {
    return text("no loss curve: ", error.what());
  }
}

/// Where a run stopped, and how it goes on.
std::string how_to_go_on(const TrainingRun& run, const Trainer& trainer) {
  return text("stopped after step ", trainer.state().step, " of ", run.settings.recipe.max_iters,
              ", saved in ", (fs::path(run.settings.out_dir) / "last").string(),
              "\nto go on: ", resume_command(run));
}

/// The command that measures this run's best checkpoint.
std::string eval_command_of(const TrainingRun& run) {
  return program_name() + " eval " + shell_flag("--out_dir", run.settings.out_dir);
}

/// What is said and done when the steps are over, or were cut short. Returns the exit code.
int finish(Display& display, const TrainingRun& run, const Trainer& trainer, Progress& progress,
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
    note("stopped before the first step: nothing is kept");
    return code_of_stop();
  }
  if (!complete) {
    note(how_to_go_on(run, trainer));
    return code_of_stop();
  }
  const bool early = state.step < run.settings.recipe.max_iters;
  const std::optional<ExactLoss> exact =
      run.exact_loss && state.best_val_loss ? run.exact_loss() : std::nullopt;
  display.clear();
  const double best = exact ? exact->loss : state.best_val_loss.value_or(0);
  const double bits = bits_per_byte(best, run.bytes_per_token.val);
  const bool is_estimate = run.settings.recipe.eval_iters > 0 && run.bytes_per_token.val > 0;
  display.line(text(
      "done after ", in_time(progress.seconds()),
      early ? text(", stopped at step ", state.step, " as nothing became better") : "",
      ": best val loss ", fixed(best, 4),
      bits > 0 ? text(" (", fixed(bits, 3), " bits per byte)") : "",
      run.loss_of_nothing > 0 ? text(", of ", fixed(run.loss_of_nothing, 4), " by guessing") : "",
      ", at step ", state.best_step,
      exact ? text(", exact, on all ", exact->tokens, " tokens that are held out")
            : ", " + run.evaluated_on +
                  (is_estimate ? " ('" + eval_command_of(run) + "' reads all)" : ""),
      "; ", run.settings.out_dir, "/ holds best, last, ", kLogFile,
      trouble.empty() ? text(" and ", kCurveFile) : ""));
  const double nothing = run.loss_of_nothing;
  if (nothing > 0 && best >= nothing) {
    note(text("the best checkpoint is no better than knowing nothing: its loss is ", fixed(best, 4),
              ", and guessing every token alike gives ", fixed(nothing, 4),
              " (try more steps, or another --learning_rate)"));
  }
  display.line(text("more: ", program_name(), " ", run.command, " ",
                    shell_flag("--out_dir", run.settings.out_dir), "\n"));
  run.finale();
  return 0;
}

/// Whether an earlier run's checkpoint is in the out_dir and may be put out of the way.
bool earlier_run_in_the_way(const Settings& settings, bool is_default_run) {
  if (!holds_checkpoint(settings.out_dir)) {
    return false;
  }
  check(is_default_run || settings.overwrite, settings.out_dir,
        ": holds a model of an earlier run (go on with it by --init_from=resume, choose another "
        "--out_dir, or add --overwrite)");
  return true;
}

/// Moves a folder to the first name that is free: FOLDER.previous, FOLDER.previous.2 and so on.
fs::path put_aside(const fs::path& folder) {
  for (int number = 1;; ++number) {
    const fs::path aside =
        folder.string() + ".previous" + (number > 1 ? "." + std::to_string(number) : "");
    if (!fs::exists(fs::symlink_status(aside))) {
      fs::rename(folder, aside);
      return aside;
    }
  }
}

/// Makes sure that all ranks have the same recipe and model, and compute alike.
void check_runs_alike(const TrainOptions& recipe, Task& task) {
  visit_fields(recipe, [&]<class Value>(const char* name, const Value& value) {
    Digest digest;
    if constexpr (std::is_enum_v<Value>) {
      digest.add(std::string_view(name_of(value)));
    } else {
      digest.add(static_cast<double>(value));
    }
    check_alike(text("--", name), digest, "give it, as its default depends on the machine");
  });
  Digest weights;
  for (const NamedTensor& named : task.parameters()) {
    weights.add(named.tensor);
  }
  check_alike("model", weights, "start all by one mpirun, with one command");
  const NoGrad no_grad;
  const ProductPrecisionScope precision(recipe.dtype);
  Digest loss;
  loss.add(task.loss(Split::kTrain, 1, {recipe.seed, 0, 0}).item());
  check_alike("loss of one example", loss,
              "machines that compute alike have one kind of processor");
}

/// A trainer that begins or goes on, on all ranks alike.
std::unique_ptr<Trainer> begun(const Settings& settings, Task& task, const fs::path& out_dir,
                               const fs::path& resumed_from, const TrainState& state) {
  auto trainer = std::make_unique<Trainer>(task, settings.recipe, out_dir, &ranks());
  if (!resumed_from.empty()) {
    trainer->resume(resumed_from, state);
  }
  remove_copies();
  if (ranks().size() > 1) {
    check_runs_alike(settings.recipe, task);
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

}  // namespace

double loss_of_nothing(const GptConfig& model) {
  return model.vocab_size > 0 ? std::log(static_cast<double>(model.vocab_size)) : 0;
}

void check_out_dir(const Settings& settings, bool is_default_run) {
  RunLock::check_free(settings.out_dir);
  earlier_run_in_the_way(settings, is_default_run);
}

void note_what_is_in_the_way(const Settings& settings, bool is_default_run) {
  try {
    check_out_dir(settings, is_default_run);
  } catch (const std::exception& error) {
    note(error.what());
  }
}

RunLock claim_out_dir(const Settings& settings, bool is_default_run) {
  const fs::path out_dir = settings.out_dir;
  RunLock lock(out_dir);
  // Looked at once more, as a run that was at work before may have ended.
  if (!earlier_run_in_the_way(settings, is_default_run)) {
    return lock;
  }
  if (!settings.overwrite) {
    const fs::path aside = put_aside(out_dir);
    lock.moved_to(aside);
    note("the earlier run in " + settings.out_dir + " is now in " + aside.string());
    return RunLock(out_dir);
  }
  for (const char* name :
       {"last", "best", ".last.old", ".best.old", kRecordFile, kLogFile, kCurveFile}) {
    fs::remove_all(out_dir / name);
  }
  return lock;
}

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
           recipe.local_steps > 0 ? text(", mean of weights every ",
                                         counted(static_cast<long>(recipe.local_steps), "step"))
                                  : ""));
}

int follow_training(const Settings& settings, Task& task, const fs::path& resumed_from,
                    const TrainState& state) {
  const std::unique_ptr<Trainer> trainer = begun(settings, task, "", resumed_from, state);
  const StopSignals signals("", true);
  Profile profile;
  trainer->run({.should_stop = [] { return StopSignals::received() != 0; },
                .profile = settings.profile ? &profile : nullptr});
  if (settings.profile) {
    times_of_ranks(ranks(), profile);
  }
  return 0;
}

int run_training(const TrainingRun& run, Display& display) {
  const Settings& settings = run.settings;
  const fs::path out_dir = settings.out_dir;
  const bool resumed = !run.resumed_from.empty();
  const std::unique_ptr<Trainer> begun_trainer =
      begun(settings, run.task, out_dir, run.resumed_from, run.state);
  Trainer& trainer = *begun_trainer;
  save_record(out_dir, run.record);
  std::vector<RunLog> logs;
  logs.emplace_back((out_dir / kLogFile).string(), resumed ? &run.state : nullptr);
  if (!settings.log.empty()) {
    logs.emplace_back(settings.log, resumed ? &run.state : nullptr);
  }
  const bool is_alone = ranks().size() == 1;
  const LastWords last_words;
  if (resumed) last_words.leave(resume_command(run));
  const StopSignals signals(
      !is_alone ? ""  // tools/cluster.sh has said so; or mpirun ends all, as another has died
      : display.is_terminal()
          // below the live line, to which the cursor goes back
          ? "\n\33[Kgradus: stopping after this step (once more: at once)"
            "\33[A\r"
          : "gradus: stopping after this step (once more: at once)\n",
      !is_alone);
  Progress progress(
      display, logs, run.plan, settings.recipe, run.bytes_per_token, settings.log_interval,
      [&] { return run.sample(trainer.state().step); },
      resumed && display.is_terminal() ? read_losses(out_dir / kLogFile) : LossHistory());
  TrainCallbacks callbacks;
  // A log that cannot be written ends the run, but not before the model is saved.
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
  callbacks.on_checkpoint = [&](const fs::path&) {
    last_words.leave(resume_command(run));
    for (RunLog& log : logs) {
      log.sync();
    }
  };
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
  return finish(display, run, trainer, progress, complete);
}

}  // namespace gradus
