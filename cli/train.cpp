/// @file
/// `gradus train`: plan, train, say how to go on, and let the model write.

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "autograd/check.h"
#include "cli/run.h"
#include "cli/signals.h"
#include "cli/train_task.h"
#include "cli/training_run.h"
#include "cli/writing.h"
#include "nn/train/gpt_task.h"
#include "nn/train/replace_folder.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;

/// As long as `gradus sample` writes by itself; a fable may take longer to its end.
constexpr Index kSampleTokens = 500, kFableTokens = 1500, kShortSampleTokens = 200;

/// What the vocabulary counts.
const char* units_of(const Tokenizer& tokenizer) {
  const std::string kind = tokenizer.name();
  return kind == "char" ? " characters" : kind == "byte" ? " bytes" : " tokens";
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
  display.line(text("  vocabulary  ", model.vocab_size, units_of(*run.tokenizer)));
  display.line(text("  model       ", with_unit(plan.parameters), " parameters: ",
                    counted(model.n_layer, "layer"), ", ", counted(model.n_head, "head"), ", ",
                    model.n_embd, " channels, blocks of ", model.n_positions));
  if (!run.begun_from.empty()) {
    display.line("  begins      with what " + run.begun_from.string() + " has learnt");
  }
  display.line(text("  steps       ", recipe.max_iters, " of ", with_unit(per_step), " tokens and ",
                    with_unit(plan.flops_per_step), "FLOP each",
                    run.state.step > 0 ? text("; ", run.state.step, " are done") : ""));
  display.line("  memory      about " + in_bytes(plan.memory));
  display.line(text("  time        about ", in_time(std::max(1.0, plan.seconds)), " (measured: ",
                    fixed(1000 * plan.seconds_per_step, plan.seconds_per_step < 0.001 ? 3 : 1),
                    " ms a step; BLAS peak ", fixed(plan.peak_gflops, 0), " GFLOP/s)"));
  display.line("  out_dir     " + run.settings.out_dir);
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

int train(Run& run, Display& display, const Plan& plan) {
  if (!run.model) {
    run.model = std::make_unique<Gpt>(run.settings.model, run.settings.recipe.seed);
  }
  set_requires_grad(*run.model, true);
  GptTask task(*run.model, *run.corpus, *run.tokenizer);
  const TrainingRun training{.settings = run.settings,
                             .task = task,
                             .plan = plan,
                             .record = run.record,
                             .resumed_from = run.resumed_from,
                             .state = run.state,
                             .sample = [&](std::int64_t step) { return short_sample(run, step); },
                             .finale = [&] { print_sample(run); },
                             .command = "sample"};
  return run_training(training, display);
}

}  // namespace

int train_command(const Arguments& arguments) {
  Settings settings;
  Flags flags("train", "Trains a model: a GPT on a text, or another on examples.");
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
  std::optional<RunLock> lock;  // a run that goes on needs it before it reads where it stands
  fs::path folder;
  if (resume) {
    if (!flags.given("--out_dir")) {
      settings.out_dir = newest_out_dir();
    }
    folder = find_checkpoint(settings.out_dir, settings.checkpoint);
    if (!settings.dry_run) {
      lock.emplace(settings.out_dir);
      folder = find_checkpoint(settings.out_dir, settings.checkpoint);
    }
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
  if (!resume) {
    check_out_dir(run.settings, is_default_run);
  }
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
  if (!resume) {
    lock.emplace(claim_out_dir(run.settings, is_default_run));
  }
  return train(run, display, plan);
}

}  // namespace gradus
