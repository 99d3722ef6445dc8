/// @file
/// `gradus finetune`: fine-tunes a trained model on examples of a task.

#include <filesystem>

#include "autograd/check.h"
#include "cli/cluster/cluster.h"
#include "cli/program/command.h"
#include "cli/run/begin.h"
#include "cli/run/carry_out.h"
#include "cli/run/checkpoints.h"
#include "cli/run/copies.h"
#include "cli/run/record.h"
#include "cli/run/train_flags.h"
#include "cli/tasks/kinds.h"
#include "nn/files/adapter_files.h"
#include "nn/files/replace_folder.h"
#include "nn/tasks/masked_word_task.h"
#include "nn/tasks/prompt_task.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

constexpr const char* kFinetuneExamples =
    "A BERT learns labels: --data takes sentiment, topics or a file of lines `label TAB\n"
    "text`. A GPT learns to answer prompts: --data takes prompts, tweets, french, summaries,\n"
    "reports or a file of lines `prompt TAB answer`. With --data preferences (after reports),\n"
    "or with --dpo and a file of lines `prompt TAB better TAB worse`, it learns which of two\n"
    "answers is better (DPO). A tenth of the examples is held out. The\n"
    "original model is not changed. Its tokenizer is kept: a char tokenizer must contain all\n"
    "characters of the examples. A word tokenizer reads unknown words as <unk> and prints\n"
    "a note. The command fails if more than a tenth of a GPT's\n"
    "answers contain such words.\n"
    "\n"
    "Defaults in brackets are for a BERT trained by gradus. A GPT uses the defaults of\n"
    "'gradus train --data prompts'. A model trained by another program uses a learning rate\n"
    "of 5e-5, or of 2e-4 with --lora.\n"
    "\n"
    "With --lora, the model is frozen, and small matrices beside its attention and\n"
    "feed-forward maps are trained. Checkpoints are adapters in PEFT's layout. sample, eval,\n"
    "predict, attention and info read an adapter's folder together with the original model.\n"
    "--merge writes the two as one ordinary model.\n"
    "\n"
    "Ctrl-C saves a checkpoint; 'gradus train --init_from=resume --out_dir DIR' resumes the\n"
    "run.\n"
    "\n"
    "Examples:\n"
    "  gradus train --model bert --data sentiment\n"
    "  gradus finetune --out_dir out-bert --data sentiment --examples 100 --into out-sentiment\n"
    "  gradus finetune --checkpoint out-bert/last --data reviews.tsv --into out-reviews\n"
    "  gradus finetune --out_dir out-mine --data tweets --into out-tweets\n"
    "  gradus finetune --out_dir out-mine --data tweets --lora 8 --into out-adapter\n"
    "  gradus finetune --out_dir out-adapter --merge --into out-merged\n"
    "  gradus finetune --out_dir out-reports --data preferences --into out-chosen\n";

void add_finetune_flags(Flags& flags, Settings& s, std::string& into, bool& merges) {
  flags.before_help([&s] { s.recipe = teaching_recipe(ModelKind::kBert); });
  flags.group("Task");
  add_source_flags(flags, s.out_dir, s.checkpoint);
  add_examples_flags(flags, s);
  flags.add("--into", into,
            "new folder for checkpoints, log.jsonl and loss.svg\n(required; --out_dir is the model "
            "to start from)",
            "DIR", {.names = Names::kOutput});
  flags.group("Adapter");
  flags.add("--lora", s.lora,
            "train an adapter of this rank in place of the model; 0: train\nthe model", 0);
  flags.add("--lora_alpha", s.lora_alpha,
            "the adapter's product is multiplied by lora_alpha / rank", 0);
  flags.add("--merge", merges, "write the model of an adapter to the folder --into and stop");
  add_recipe_flags(flags, s);
  flags.group("Run");
  add_run_flags(flags, s);
  flags.footer(kFinetuneExamples);
}

/// Writes an adapter and its base as one model into a new folder, with the record of the adapter's
/// data: it names a model that answers prompts.
void write_merged(const Flags& flags, const fs::path& checkpoint, const fs::path& into) {
  for (const std::string& name : flags.given()) {
    check(name == "--out_dir" || name == "--checkpoint" || name == "--into" || name == "--merge",
          name, ": has no effect with --merge, which trains nothing (leave it out)");
  }
  check(holds_adapter(checkpoint), "--merge: ", checkpoint.string(),
        " is a whole model already (choose the folder of an adapter)");
  check(!fs::exists(into) || fs::is_empty(into), "--into=", into.string(),
        ": must be a new folder for the merged model (choose another)");
  replace_folder(into, [&](const fs::path& temporary) {
    if (kind_of_checkpoint(checkpoint) == ModelKind::kGpt) {
      save_model(temporary, load_prompt_model(checkpoint));
    } else {
      save_model(temporary, load_bert(checkpoint));
    }
    if (const auto record = load_record(out_dir_of(checkpoint))) save_record(temporary, *record);
  });
  print(into.string() + "\n");
}

}  // namespace

int finetune_command(const Arguments& arguments) {
  join_ranks(arguments);
  Run run;
  Settings& s = run.settings;
  s.checkpoint = "best";
  s.out_dir.clear();
  std::string into;
  bool merges = false;
  Flags flags("finetune", "Fine-tunes a trained BERT or GPT on examples of a task.");
  add_finetune_flags(flags, s, into, merges);
  if (!flags.parse(arguments)) {
    return 0;
  }
  check(!into.empty(), "--into: is required (name a folder for the fine-tuned model)");
  fs::path checkpoint;
  if (ranks().is_first()) {
    checkpoint = chosen_checkpoint(flags.given("--out_dir") ? s.out_dir : "", s.checkpoint);
    check(fs::weakly_canonical(into) != fs::weakly_canonical(out_dir_of(checkpoint)),
          "--into=", into, ": must not be the folder of the original model (choose another)");
    if (merges) write_merged(flags, checkpoint, into);
  }
  if (merges) {
    return 0;
  }
  give_copies(flags);
  begin_teaching(flags, run, model_for_ranks(checkpoint), into);
  return carry_out(run);
}

}  // namespace gradus
