#include "cli/run/begin.h"

#include <utility>
#include <vector>

#include "autograd/check.h"
#include "cli/cluster/cluster.h"
#include "cli/program/command.h"
#include "cli/run/checkpoints.h"
#include "cli/run/copies.h"
#include "cli/run/out_dir.h"
#include "cli/run/settle.h"
#include "cli/tasks/kinds.h"
#include "cli/tasks/recipes.h"
#include "nn/files/adapter_files.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

/// Completes a new run on examples, after its settings are final.
void begin_with_examples(Run& run, const fs::path& taught) {
  Settings& s = run.settings;
  s.recipe.validate();
  run.is_default = s.out_dir == defaults_of(s.kind).out_dir;
  check_out_dir(s, run.is_default);
  run.record = record_of(s);
  run.subject = examples_subject(s, taught.empty() ? make_task(s, {}) : make_taught(s, taught));
}

void begin_on_examples(Flags& flags, Run& run) {
  Settings& s = run.settings;
  check(s.init_from == "scratch", "--init_from=", s.init_from, ": must be scratch or resume (",
        hint_of(s.init_from, {"scratch", "resume"}),
        "to train an existing model on examples, use gradus finetune)");
  check(!flags.given("--freeze_vectors") || flags.given("--word_vectors"),
        "--freeze_vectors: needs word vectors (add --word_vectors FILE)");
  give_copies(flags);
  settle(flags, s, defaults_of(s.kind));
  check_meaning(flags, s);
  check_effects(flags, s);
  complete_schedule(flags, s);
  begin_with_examples(run, {});
}

/// The checkpoint from which the run resumes; rank 0 gives it to all ranks. Holds the out_dir
/// before reading its last step.
fs::path checkpoint_of(Flags& flags, Run& run) {
  Settings& s = run.settings;
  fs::path folder;
  if (ranks().is_first()) {
    if (!flags.given("--out_dir")) {
      s.out_dir = config_of(s).empty() ? newest_out_dir() : kConfigOutDir;
    }
    folder = find_checkpoint(s.out_dir, s.checkpoint);
    if (!s.dry_run) {
      run.lock.emplace(s.out_dir);
      folder = find_checkpoint(s.out_dir, s.checkpoint);
    }
  }
  give_copies(flags);
  return checkpoint_for_ranks(folder, flags);
}

/// The settings of the run that wrote a checkpoint. Loads its state into `run`.
Settings settings_of_run(Run& run, const std::string& out_dir) {
  const fs::path folder = run.resumed_from, run_folder = out_dir_of(folder);
  const std::optional<RunRecord> record = load_record(run_folder);
  Settings s = settings_of(folder);
  s.has_prompts = s.kind == ModelKind::kGpt && record && !record->data().empty();
  const bool on_text = kind_of_run(s) == kOnText;
  std::optional<TrainState> state = load_state(folder);
  check(state.has_value(), folder.string(), ": has no training state, so it can be ",
        on_text ? "sampled but not resumed (for a new run from its weights, pass --init_from=" +
                      folder.string() + " --text FILE)"
                : "used but not resumed (choose a folder that gradus train wrote, or use gradus "
                  "finetune)");
  run.state = std::move(*state);
  s.recipe = run.state.options;
  s.out_dir = out_dir;
  if (holds_adapter(folder)) {
    const LoraOptions lora = load_adapter(folder).lora;
    s.lora = lora.rank;
    s.lora_alpha = lora.alpha;
  }
  if (record) {
    if (!on_text) check_readable(*record, run_folder);
    restore(*record, s);
  }
  return s;
}

/// Applies the flags to a resumed run, and notes changes of its recipe.
void settle_to_go_on(Flags& flags, Run& run, const Settings& before) {
  const std::int64_t done = run.state.step;
  check(!flags.given("--minutes"),
        "--minutes: only for a new run (set the total steps of a resumed run with --max_iters)");
  check(!flags.given("--recipe"),
        "--recipe: only for a new run (leave it out: a resumed run keeps its recipe; to change "
        "single values, pass their flags)");
  check_meaning(flags, before);
  const std::vector<Change> changes = settle(flags, run.settings, before);
  check(!flags.given("--max_iters") || run.settings.recipe.max_iters >= done,
        "--max_iters=", run.settings.recipe.max_iters, ": must be at least the ", done,
        " steps that are already done (pass more, or leave it out)");
  for (const auto& [name, was, now] : changes) {
    const Traits& traits = flags.traits(name);
    check(!traits.by_model && !traits.by_run, name, "=", now, ": must be ", was,
          ", as in the checkpoint (leave the flag out, or start a new run)");
  }
  check_effects(flags, run.settings);
  for (const auto& [name, was, now] : changes) {
    note("changed for the rest of the run: " + name.substr(2) + " from " + was + " to " + now);
  }
  run.settings.recipe.validate();
}

}  // namespace

void begin(Flags& flags, Run& run) {
  check(run.settings.init_from != "scratch" || !flags.given("--checkpoint"),
        "--checkpoint=", run.settings.checkpoint,
        ": only for a run that resumes (add --init_from=resume, or leave it out)");
  if (run.settings.kind != ModelKind::kGpt || flags.given("--data")) {
    begin_on_examples(flags, run);
  } else {
    begin_on_text(flags, run);
  }
}

void begin_teaching(Flags& flags, Run& run, const fs::path& checkpoint,
                    const std::string& out_dir) {
  const bool is_adapted = run.settings.lora > 0, ranks_answers = beta_of(run.settings) > 0;
  check(is_adapted || !flags.given("--lora_alpha"), "--lora_alpha: needs --lora RANK (add it)");
  check(!is_adapted || !holds_adapter(checkpoint), "--lora: ", checkpoint.string(),
        " holds an adapter, and a new one needs a whole model (write one first: '", program_name(),
        " finetune --merge ", shell_flag("--checkpoint", checkpoint.string()), " --into DIR')");
  Settings before = settings_of(checkpoint);
  before.has_prompts = before.kind == ModelKind::kGpt;
  before.recipe = teaching_recipe(before.kind);
  if (ranks_answers) suit_preferences(before.recipe);
  if (!load_state(checkpoint)) {
    before.recipe.schedule.rate = ranks_answers ? kPreferenceRate
                                  : is_adapted  ? kAdapterRate
                                                : kPretrainedRate;
  }
  settle(flags, run.settings, before);
  complete_schedule(flags, run.settings);
  check_meaning(flags, run.settings);
  check_effects(flags, run.settings);
  run.settings.out_dir = out_dir;
  begin_with_examples(run, checkpoint);
}

void go_on(Flags& flags, Run& run) {
  run.resumed_from = checkpoint_of(flags, run);
  settle_to_go_on(flags, run, settings_of_run(run, run.settings.out_dir));
  if (kind_of_run(run.settings) == kOnText) {
    go_on_with_text(flags, run);
  } else {
    run.record = record_of(run.settings);
    run.subject = examples_subject(run.settings, make_task(run.settings, run.resumed_from));
  }
}

}  // namespace gradus
