/// @file
/// `gradus finetune`: what a trained model has learnt, put to a task of its own.

#include <filesystem>
#include <memory>

#include "autograd/check.h"
#include "cli/cluster/cluster.h"
#include "cli/run/run_record.h"
#include "cli/run/settings.h"
#include "cli/run/settle.h"
#include "cli/run/train_task.h"
#include "cli/tasks/bert_tasks.h"
#include "cli/tasks/prompt_tasks.h"
#include "cli/tasks/task_data.h"
#include "cli/tasks/tasks.h"
#include "nn/files/checkpoint.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

constexpr const char* kFinetuneExamples =
    "A BERT learns labels: --data takes sentiment, topics or a file of lines `label TAB text`. A "
    "GPT\n"
    "learns to answer: --data takes prompts, tweets, french, summaries or a file of lines\n"
    "`prompt TAB answer`. A tenth is held out. The model that it begins from stays as it is, and\n"
    "its tokenizer too: one of characters must know all of them; one of words reads what it does\n"
    "not know as unknown, which is said, and refused where a tenth of a GPT's answers hold such\n"
    "words.\n"
    "\n"
    "Values in brackets are those for a BERT that a run of ours trained. A GPT is taught by the\n"
    "recipe of 'gradus train --data prompts', and a model that others made at a rate of 5e-5.\n"
    "\n"
    "Ctrl-C saves; 'gradus train --init_from=resume --out_dir DIR' goes on.\n"
    "\n"
    "Examples:\n"
    "  gradus train --model bert --data sentiment\n"
    "  gradus finetune --out_dir out-bert --data sentiment --examples 100 --into out-sentiment\n"
    "  gradus finetune --checkpoint out-bert/last --data reviews.tsv --into out-reviews\n"
    "  gradus finetune --out_dir out-mine --data tweets --into out-tweets\n";

void add_finetune_flags(Flags& flags, Settings& s, std::string& into) {
  flags.before_help([&s] { use_bert_label_defaults(s); });
  flags.group("Task");
  flags.add("--out_dir", s.out_dir, "the run whose model is taught; the newest by default", "DIR");
  flags.add("--checkpoint", s.checkpoint, "which of its models: best, last or a folder", "WHICH");
  flags.add("--data", s.data, "what it learns from: a built-in set or a file; see below", "NAME");
  add_examples_flags(flags, s);
  flags.add("--into", into, "folder for checkpoints, log.jsonl and loss.svg", "DIR");
  add_recipe_flags(flags, s);
  flags.group("Run");
  add_run_flags(flags, s);
  flags.footer(kFinetuneExamples);
}

/// The recipe for the model of a checkpoint, whose sizes the settings hold already.
void use_defaults(Settings& settings, const fs::path& checkpoint) {
  switch (settings.kind) {
    case ModelKind::kBert:
      use_bert_label_defaults(settings);
      break;
    case ModelKind::kGpt:
      settings.recipe = task_defaults(ModelKind::kGpt).recipe;
      break;
    default:
      fail("finetune: a model of the kind ", name_of(settings.kind),
           " is not taught further (give a bert or a gpt)");
  }
  if (!load_state(checkpoint)) {
    settings.recipe.schedule.rate = kPretrainedRate;
  }
}

/// What it is to learn.
std::unique_ptr<Task> task_for(const Settings& settings, const fs::path& checkpoint) {
  switch (settings.kind) {
    case ModelKind::kBert:
      return bert_label_task(settings, checkpoint);
    case ModelKind::kGpt:
      check(settings.data != "sentiment" && settings.data != "topics", "--data=", settings.data,
            ": are texts with labels, which a BERT learns; ", checkpoint.string(),
            " holds a GPT (give prompts, tweets, french, summaries or a file of lines `prompt TAB "
            "answer`)");
      return make_prompt_task(settings, checkpoint, true);
    default:
      fail("finetune: there is no task for the kind ", name_of(settings.kind));
  }
}

}  // namespace

int finetune_command(const Arguments& given) {
  join_ranks(given);
  Settings settings;
  settings.checkpoint = "best";
  settings.out_dir.clear();
  std::string into;
  Flags flags("finetune", "Teaches a trained model a task of its own.");
  add_finetune_flags(flags, settings, into);
  if (!flags.parse(given)) {
    return 0;
  }
  check(!into.empty(), "--into: is needed (name a folder for the model that is taught)");
  fs::path checkpoint;
  if (ranks().is_first()) {
    checkpoint =
        chosen_checkpoint(flags.given("--out_dir") ? settings.out_dir : "", settings.checkpoint);
    check(fs::weakly_canonical(into) != fs::weakly_canonical(out_dir_of(checkpoint)),
          "--into=", into, ": is where the model comes from (name another folder)");
  }
  const Arguments arguments = shared_arguments(flags, settings, given);
  checkpoint = shared_model(checkpoint);
  settings = settings_of(checkpoint);
  settings.has_prompts = settings.kind == ModelKind::kGpt;
  use_defaults(settings, checkpoint);
  flags.parse(arguments);
  complete_schedule(flags, settings);
  check_meaning(flags, settings);
  settings.out_dir = into;
  settings.recipe.validate();
  const std::unique_ptr<Task> task =
      with_line_numbers(settings.data, [&] { return task_for(settings, checkpoint); });
  return run_task(settings, *task, {}, {});
}

}  // namespace gradus
