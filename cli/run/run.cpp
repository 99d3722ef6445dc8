#include "cli/run/run.h"

#include <algorithm>
#include <utility>

#include "autograd/check.h"
#include "cli/cluster/cluster.h"
#include "cli/program/learning.h"
#include "cli/program/machine.h"
#include "cli/program/unknown_words.h"
#include "cli/run/plan.h"
#include "cli/run/settle.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

/// Sizes first: a text that is fine is not to be blamed for a model that is not.
void check_sizes(GptConfig model) {
  model.vocab_size = std::max<Index>(1, model.vocab_size);
  model.validate();
  parameter_count(model);
}

/// The text of a run that goes on: the one that is given, or the one that it began with.
void read_text_again(Run& run, const std::string& out_dir) {
  const std::optional<RunRecord> record = load_record(out_dir);
  const bool given = !run.settings.texts.empty();
  if (!given && !record) {
    fail(out_dir, ": does not say which text it was trained on (give it with --text)");
  }
  if (!given) {
    check_readable(*record, out_dir);
  }
  const auto& names = given ? run.settings.texts : record->texts;
  check(given || std::find(names.begin(), names.end(), "-") == names.end(), out_dir,
        ": the text came from standard input (give it again, with --text=-)");
  run.text = read_texts(names, run.settings.keep_crlf);
  run.record = describe_text(names, run.text, run.settings.keep_crlf);
  if (record && record->checksum != run.record.checksum) {
    check(given, run.text.name(), ": has changed since the run began, from ", record->bytes, " to ",
          run.record.bytes, " bytes (to go on with it as it is now, give it with --text)");
    note(run.text.name() + ": is not the text that the run began with; it goes on with this one");
    note_unknown_words(*run.tokenizer, {std::string(run.text.bytes())}, run.text.name());
  }
}

/// What is said of bytes that are no text, which byte pairs would learn all the same.
void check_is_text(const Text& text) {
  try {
    check_utf8(text.bytes());
  } catch (const TextError& error) {
    throw std::runtime_error(text.blame(error).what());
  }
}

/// The steps of the reference model that can be done in so many minutes.
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

/// The dropout of a model that was loaded is no more than a number in each layer.
void set_dropout(Gpt& model, Scalar dropout) {
  if (dropout == model.config.dropout) {
    return;  // and those that are apart from it stay so
  }
  model.config.dropout = dropout;
  model.config.attention_dropout = model.config.embedding_dropout = std::nullopt;
  for (Block& block : model.h) {
    block.attn.attention_dropout = dropout;
    block.attn.residual_dropout.p = dropout;
    block.mlp.dropout.p = dropout;
  }
}

/// A run from the start whose model has learnt something before.
Run run_from_folder(const Flags& flags, Settings& settings) {
  const fs::path folder = find_checkpoint(
      settings.init_from, flags.given("--checkpoint") ? settings.checkpoint : "best");
  check(kind_of_checkpoint(folder) == ModelKind::kGpt, folder.string(), ": holds a ",
        name_of(kind_of_checkpoint(folder)),
        ", and a GPT alone goes on with a text (see gradus finetune)");
  check(fs::weakly_canonical(settings.out_dir) != fs::weakly_canonical(out_dir_of(folder)),
        "--out_dir=", settings.out_dir, ": is where the model comes from (name another folder)");
  Checkpoint checkpoint = load_checkpoint(folder);
  take_model(flags, settings, checkpoint.model.config, *checkpoint.tokenizer);
  settings.model.validate();
  settings.recipe.validate();
  set_dropout(checkpoint.model, settings.model.dropout);
  Run run{settings, read_texts(settings.texts, settings.keep_crlf),
          {},       std::move(checkpoint.tokenizer),
          nullptr,  nullptr,
          {},       {}};
  run.record = describe_text(settings.texts, run.text, settings.keep_crlf);
  run.model = std::make_unique<Gpt>(std::move(checkpoint.model));
  run.begun_from = folder;
  return run;
}

}  // namespace

Run new_run(Flags& flags, Settings& settings, const Arguments& arguments) {
  Text text;
  double reference_steps = 0;
  const std::vector<std::string> texts = settings.texts;
  const bool keep_crlf = settings.keep_crlf;
  settle_new_run(flags, settings, arguments, [&](double minutes) {
    text = read_texts(texts, keep_crlf);
    if (!flags.given("--tokenizer")) {
      check_is_text(text);
    }
    const auto bytes = static_cast<double>(text.bytes().size());
    reference_steps = found_by_first(
        [&] { return measured_reference_steps(bytes, minutes, settings.recipe.dtype); });
    return own_sizes(bytes, reference_steps);
  });
  if (settings.init_from != "scratch") {
    return run_from_folder(flags, settings);
  }
  check_sizes(settings.model);
  settings.recipe.validate();
  if (text.bytes().empty()) {
    text = read_texts(texts, keep_crlf);
  }
  Run run{settings, std::move(text), {}, nullptr, nullptr, nullptr, {}, {}, reference_steps};
  run.record = describe_text(settings.texts, run.text, keep_crlf);
  run.tokenizer = learn_shown(settings.tokenizer, run.text, settings.vocab_size);
  run.settings.model.vocab_size = run.tokenizer->vocab_size();
  return run;
}

Run resumed_run(Flags& flags, Settings& settings, const Arguments& arguments,
                const fs::path& folder) {
  Checkpoint checkpoint = load_checkpoint(folder);
  check(checkpoint.state.has_value(), folder.string(),
        ": has no training state, so that it can be sampled but not resumed (to go on from its "
        "model, give --init_from=",
        folder.string(), " --text FILE)");
  const std::string out_dir = settings.out_dir;
  Settings kept;
  kept.model = checkpoint.model.config;
  kept.recipe = checkpoint.state->options;
  kept.tokenizer = checkpoint.tokenizer->name();
  kept.vocab_size = static_cast<int>(kept.model.vocab_size);
  const std::optional<RunRecord> record = load_record(settings.out_dir);
  kept.keep_crlf = record && record->keep_crlf;
  const auto changes = settle_resumed_run(flags, settings, arguments, kept, checkpoint.state->step);
  settings.out_dir = out_dir;
  for (const std::string& change : changes) {
    note("from here on: " + change);
  }
  settings.recipe.validate();
  check_sizes(settings.model);
  set_dropout(checkpoint.model, settings.model.dropout);
  Run run{settings, {},      {},     std::move(checkpoint.tokenizer),
          nullptr,  nullptr, folder, std::move(*checkpoint.state),
          0};
  run.model = std::make_unique<Gpt>(std::move(checkpoint.model));
  read_text_again(run, settings.out_dir);
  return run;
}

}  // namespace gradus
