#include <algorithm>
#include <utility>
#include <vector>

#include "autograd/check.h"
#include "cli/cluster/cluster.h"
#include "cli/program/command.h"
#include "cli/program/learn_shown.h"
#include "cli/program/machine.h"
#include "cli/program/unknown_words.h"
#include "cli/run/begin.h"
#include "cli/run/checkpoints.h"
#include "cli/run/copies.h"
#include "cli/run/out_dir.h"
#include "cli/run/own_sizes.h"
#include "cli/run/plan.h"
#include "cli/run/settle.h"
#include "cli/tasks/recipes.h"
#include "cli/tasks/texts.h"
#include "nn/files/gpt_files.h"
#include "nn/names.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

/// Checks the sizes of the model before the text, so that a wrong size is not reported as an
/// error of the text.
void check_sizes(GptConfig model) {
  model.vocab_size = std::max<Index>(1, model.vocab_size);
  model.validate();
  parameter_count(model);
}

/// The text of a resumed run: the text that flags name, or the text of the earlier steps.
Text text_again(Run& run, const std::string& out_dir, const Tokenizer& tokenizer) {
  const std::optional<RunRecord> record = load_record(out_dir);
  const bool given = !run.settings.texts.empty();
  if (!given && !record) {
    fail(out_dir, ": has no record of its text (pass the text with --text)");
  }
  if (!given) {
    check_readable(*record, out_dir);
  }
  const auto& names = given ? run.settings.texts : record->texts;
  check(given || std::find(names.begin(), names.end(), "-") == names.end(), out_dir,
        ": its text was read from standard input (pass it again with --text=-)");
  Text text = read_texts(names, run.settings.keep_crlf);
  run.record = record_of(run.settings, names, text);
  if (record && record->checksum != run.record.checksum) {
    check(given, text.name(), ": must not change during a run; it had ", record->bytes,
          " bytes, and now has ", run.record.bytes,
          " and a different checksum (to resume with the changed text, pass it with --text)");
    note(text.name() +
         ": differs from the text of the earlier steps; the run resumes with this text");
    note_unknown_words(tokenizer, {std::string(text.bytes())}, text.name());
  }
  return text;
}

/// Rejects bytes that are not UTF-8 text; byte pairs would learn them without an error.
void check_is_text(const Text& text) {
  try {
    check_utf8(text.bytes());
  } catch (const TextError& error) {
    throw std::runtime_error(text.blame(error).what());
  }
}

/// The defaults of --recipe fast with other sizes, for the user's own text.
Settings own_defaults(const OwnSizes& sizes) {
  Settings s = fast_defaults();
  s.recipe_name = "own";
  s.tokenizer = sizes.tokenizer;
  s.vocab_size = sizes.vocab_size;
  s.model.n_layer = sizes.n_layer;
  s.model.n_head = sizes.n_head;
  s.model.n_embd = sizes.n_embd;
  s.model.n_inner = 2 * sizes.n_embd;
  s.model.n_positions = sizes.block_size;
  s.model.dropout = static_cast<Scalar>(sizes.dropout);
  s.recipe.batch_size = sizes.batch_size;
  s.recipe.max_iters = sizes.most_steps;
  s.recipe.eval_interval = 250;
  s.recipe.schedule.rate = sizes.learning_rate;
  s.recipe.adamw.weight_decay = sizes.weight_decay;
  return s;
}

/// The number of steps of the reference model that fit into `minutes` on this machine.
double measured_reference_steps(double text_bytes, double minutes, ProductPrecision dtype) {
  Settings reference = own_defaults(reference_sizes(text_bytes));
  reference.model.vocab_size = std::max(100, reference.vocab_size);
  reference.recipe.dtype = dtype;
  double seconds = measured_step_time(reference.model, reference.recipe);
  if (load_of_others() > 0) {
    seconds = std::min(seconds, measured_step_time(reference.model, reference.recipe));
  }
  return 60 * minutes / seconds;
}

/// Changes the dropout of a loaded model. It is only a number in each layer.
void set_dropout(Gpt& model, Scalar dropout) {
  if (dropout == model.config.dropout) {
    return;  // dropouts that differ between parts stay unchanged
  }
  model.config.dropout = dropout;
  model.config.attention_dropout = model.config.embedding_dropout = std::nullopt;
  for (Block& block : model.h) {
    block.attn.attention_dropout = dropout;
    block.attn.residual_dropout.p = dropout;
    block.mlp.dropout.p = dropout;
  }
}

/// Which recipe gives the defaults of a new run on a text: the recipe that was named; nanoGPT's if
/// a size flag or nanoGPT's config was given; otherwise the recipe for the text.
std::string recipe_for(const Flags& flags, const Settings& settings, bool tales) {
  const bool sized = std::ranges::any_of(
      flags.given(), [&](const std::string& name) { return flags.traits(name).is_nanogpt_size; });
  return !settings.recipe_name.empty()    ? settings.recipe_name
         : tales                          ? (settings.minutes > 0 && !sized ? "own" : "tales")
         : sized || flags.given("config") ? "nanogpt"
                                          : "own";
}

/// The folder of the model that a new run begins from; empty if the run makes a new model.
fs::path begun_from(const Flags& flags, const Settings& s) {
  if (s.init_from == "scratch") {
    return {};
  }
  fs::path folder;
  if (ranks().is_first()) {
    check_is_folder(s.init_from, {"scratch", "resume"});
    folder = checkpoint_in(s.init_from, flags.given("--checkpoint") ? s.checkpoint : "best");
  }
  folder = model_for_ranks(folder);
  check(kind_of_checkpoint(folder) == ModelKind::kGpt, folder.string(),
        ": must be a GPT to train on a text, got a ", name_of(kind_of_checkpoint(folder)),
        " (for examples, use gradus finetune)");
  return folder;
}

/// The recipe of a new run on a text.
std::string chosen_recipe(const Flags& flags, const Settings& s, bool tales) {
  const bool begins_from_model = s.init_from != "scratch";
  const std::string& named = s.recipe_name;
  check(named.empty() || std::ranges::find(kRecipes, named) != kRecipes.end(), "--recipe=", named,
        ": unknown recipe (", hint_of(named, kRecipes), "use own, fast, strong or nanogpt)");
  check(!begins_from_model || named != "own",
        "--recipe=own: chooses the sizes of a new model, but --init_from=", s.init_from,
        " fixes them (leave --recipe out)");
  const bool has_other_config = flags.given("config") && named != "nanogpt";
  check(!has_other_config || named.empty(), s.config, " and --recipe=", named,
        ": name two recipes (choose one)");
  check(!has_other_config || !begins_from_model, s.config,
        ": chooses the recipe of a new model, but --init_from=", s.init_from,
        " continues a trained one (leave it out, or add --recipe nanogpt for its recipe)");
  check(!flags.given("--minutes") || s.minutes > 0, "--minutes: must be above 0, got ", s.minutes);
  check(!flags.given("--minutes") || !flags.given("--max_iters"),
        "--minutes and --max_iters: cannot be combined (choose one)");
  return begins_from_model && named.empty() ? "nanogpt" : recipe_for(flags, s, tales);
}

/// The sizes for a text and for the measured time of a step. Reads the text.
OwnSizes measured_sizes(const Flags& flags, const Settings& s, TextParts& parts) {
  parts.text = read_texts(s.texts, s.keep_crlf);
  if (!flags.given("--tokenizer")) {
    check_is_text(parts.text);
  }
  const auto bytes = static_cast<double>(parts.text.bytes().size());
  const double minutes = s.minutes > 0 ? s.minutes : kOwnMinutes;
  parts.reference_steps =
      found_by_first([&] { return measured_reference_steps(bytes, minutes, s.recipe.dtype); });
  return own_sizes(bytes, parts.reference_steps);
}

/// Completes the settings of a run on a text that begins from a trained model, whose sizes are
/// fixed.
void settle_for_model(Flags& flags, Settings& s, Settings before, TextParts& parts) {
  Checkpoint checkpoint = load_checkpoint(parts.begun_from);
  before.model = checkpoint.model.config;
  before.tokenizer = checkpoint.tokenizer->name();
  before.vocab_size = checkpoint.tokenizer->vocab_size();
  for (const Change& change : settle(flags, s, before)) {
    // Without learned positions, a model also reads shorter blocks than it could.
    const bool is_shorter = change.name == "--block_size" &&
                            before.model.position != Position::kLearned &&
                            s.model.n_positions < before.model.n_positions;
    check(!flags.traits(change.name).by_model || is_shorter, change.name, "=", change.now,
          ": must be ", change.before, ", as in the model of ", s.init_from,
          " (leave the flag out)");
  }
  set_dropout(checkpoint.model, s.model.dropout);
  checkpoint.model.config.n_positions = s.model.n_positions;
  parts.tokenizer = std::move(checkpoint.tokenizer);
  parts.model = std::make_unique<Gpt>(std::move(checkpoint.model));
}

/// Completes the settings of a run on a text that trains a new model.
void settle_anew(Flags& flags, Settings& s, const Settings& before, bool is_own) {
  settle(flags, s, before);
  if (is_own && flags.given("--vocab_size") && !flags.given("--tokenizer")) {
    s.tokenizer = "bpe";  // even if another kind suits the text
  }
  const bool own_kind = is_own && s.tokenizer == before.tokenizer;
  if (flags.given("--tokenizer") && !flags.given("--vocab_size") && !own_kind) {
    s.vocab_size = 0;  // the recipe's size is for its own tokenizer
  }
  if (is_own && s.minutes == 0 && !flags.given("--max_iters")) {
    s.minutes = kOwnMinutes;
  }
}

}  // namespace

void begin_on_text(Flags& flags, Run& run) {
  Settings& s = run.settings;
  TextParts parts;
  const std::string config = config_of(s);
  parts.begun_from = begun_from(flags, s);
  const bool is_new_model = parts.begun_from.empty();
  check(is_new_model || !s.texts.empty(), "--init_from=", s.init_from,
        ": needs a text (add --text FILE)");
  give_copies(flags);
  const bool tales = reads_tales(s) && config.empty();
  const std::string named = s.recipe_name, recipe = chosen_recipe(flags, s, tales);
  Settings before = recipe == "own"     ? own_defaults(measured_sizes(flags, s, parts))
                    : recipe == "tales" ? tales_defaults()
                                        : named_recipe(recipe)();
  before.out_dir = tales            ? tales_defaults().out_dir
                   : config.empty() ? before.out_dir
                                    : kConfigOutDir;
  if (is_new_model) {
    settle_anew(flags, s, before, recipe == "own");
  } else {
    before.recipe = named.empty() ? continued_recipe() : before.recipe;
    settle_for_model(flags, s, before, parts);
    check(fs::weakly_canonical(s.out_dir) != fs::weakly_canonical(out_dir_of(parts.begun_from)),
          "--out_dir=", s.out_dir,
          ": must not be the folder of the original model (choose another)");
  }
  s.recipe_name = recipe;
  if (s.texts.empty() && !config.empty()) {
    note(s.config +
         ": names no text that gradus has, so training uses the bundled tales (pass a text with "
         "--text FILE)");
  }
  check_meaning(flags, s);
  check_effects(flags, s);
  check(s.tokenizer != "wordpiece",
        "--tokenizer=wordpiece: only for BERT, as it drops parts of the text (choose char, byte, "
        "bpe or word)");
  complete_schedule(flags, s);
  check_sizes(s.model);
  s.recipe.validate();
  run.is_default = reads_tales(s) && !flags.given("--out_dir");
  check_out_dir(s, run.is_default);
  if (parts.text.bytes().empty()) {
    parts.text = read_texts(s.texts, s.keep_crlf);
  }
  run.record = record_of(s, s.texts, parts.text);
  parts.is_bundled = run.record.is_bundled();
  if (is_new_model) {
    parts.tokenizer = learn_shown(s.tokenizer, parts.text, s.vocab_size);
    s.model.vocab_size = parts.tokenizer->vocab_size();
  }
  run.subject = text_subject(flags, s, std::move(parts));
}

void go_on_with_text(const Flags& flags, Run& run) {
  Settings& s = run.settings;
  check_sizes(s.model);
  Checkpoint checkpoint = load_checkpoint(run.resumed_from);
  set_dropout(checkpoint.model, s.model.dropout);
  TextParts parts;
  parts.resumed = true;
  parts.text = text_again(run, out_dir_of(run.resumed_from).string(), *checkpoint.tokenizer);
  parts.is_bundled = run.record.is_bundled();
  parts.tokenizer = std::move(checkpoint.tokenizer);
  parts.model = std::make_unique<Gpt>(std::move(checkpoint.model));
  run.subject = text_subject(flags, s, std::move(parts));
}

}  // namespace gradus
