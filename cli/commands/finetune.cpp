/// @file
/// `gradus finetune`: teaches a trained model a task of its own.

#include <filesystem>

#include "autograd/check.h"
#include "cli/cluster/cluster.h"
#include "cli/run/begin.h"
#include "cli/run/carry_out.h"
#include "cli/run/checkpoints.h"
#include "cli/run/copies.h"
#include "cli/run/train_flags.h"
#include "cli/tasks/kinds.h"

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
  flags.before_help([&s] { s.recipe = teaching_recipe(ModelKind::kBert); });
  flags.group("Task");
  flags.add("--out_dir", s.out_dir, "the run whose model is taught; the newest by default", "DIR");
  flags.add("--checkpoint", s.checkpoint, "which of its models: best, last or a folder", "WHICH");
  flags.add("--data", s.data, "what it learns from: a built-in set or a file; see below", "NAME",
            {.names = Names::kExamples});
  add_examples_flags(flags, s);
  flags.add("--into", into, "folder for checkpoints, log.jsonl and loss.svg", "DIR",
            {.names = Names::kOutput});
  add_recipe_flags(flags, s);
  flags.group("Run");
  add_run_flags(flags, s);
  flags.footer(kFinetuneExamples);
}

}  // namespace

int finetune_command(const Arguments& arguments) {
  join_ranks(arguments);
  Run run;
  Settings& s = run.settings;
  s.checkpoint = "best";
  s.out_dir.clear();
  std::string into;
  Flags flags("finetune", "Teaches a trained model a task of its own.");
  add_finetune_flags(flags, s, into);
  if (!flags.parse(arguments)) {
    return 0;
  }
  check(!into.empty(), "--into: is needed (name a folder for the model that is taught)");
  fs::path checkpoint;
  if (ranks().is_first()) {
    checkpoint = chosen_checkpoint(flags.given("--out_dir") ? s.out_dir : "", s.checkpoint);
    check(fs::weakly_canonical(into) != fs::weakly_canonical(out_dir_of(checkpoint)),
          "--into=", into, ": is where the model comes from (name another folder)");
  }
  give_copies(flags);
  begin_teaching(flags, run, model_for_ranks(checkpoint), into);
  return carry_out(run);
}

}  // namespace gradus
