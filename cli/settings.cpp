#include "cli/settings.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "autograd/check.h"

namespace gradus {
namespace {

/// nanoGPT's flags that mean nothing on one CPU in float32, or without its services.
const std::vector<std::string> kIgnored = {"--device",         "--dtype",       "--compile",
                                           "--backend",        "--wandb_log",   "--wandb_project",
                                           "--wandb_run_name", "--dataset",     "--eval_only",
                                           "--num_proc",       "--master_port", "--nproc_per_node"};

/// The flags that say what the model is, which a checkpoint has settled.
constexpr const char* kSizes[] = {"--n_layer",    "--n_head", "--n_embd",
                                  "--block_size", "--bias",   "--tokenizer"};

/// The flags that do not belong to a run's recipe.
constexpr const char* kNoRecipe[] = {"--text",       "--init_from", "--out_dir",
                                     "--checkpoint", "--log",       "--log_interval",
                                     "--dry_run",    "--overwrite", "config"};

bool is_one_of(const std::string& name, const auto& names) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

constexpr const char* kExamples =
    "Without --text it trains on the bundled fables, with a recipe for them ('fables') and into\n"
    "out-fables/. With --text the defaults are nanoGPT's train_shakespeare_char, and a command "
    "line\n"
    "of nanoGPT works as it is. min_lr and lr_decay_iters follow learning_rate / 10 and max_iters\n"
    "unless they are given.\n"
    "\n"
    "A checkpoint of an earlier run is never overwritten unasked: the default run sets it aside "
    "as\n"
    "out-fables.previous, any other needs --overwrite. Progress goes to standard error, the sample "
    "at\n"
    "the end to standard output. Ctrl-C finishes the step, saves and says how to go on.\n"
    "\n"
    "Examples:\n"
    "  gradus train\n"
    "  gradus train --text notes.txt --text letters.txt --out_dir=out-mine\n"
    "  gradus train --text notes.txt fables       the quick recipe on a text of your own\n"
    "  gradus train --text input.txt config/train_shakespeare_char.py --device=cpu --compile=False "
    "\\\n"
    "    --eval_iters=20 --block_size=64 --batch_size=12 --n_layer=4 --n_head=4 --n_embd=128 \\\n"
    "    --max_iters=2000 --lr_decay_iters=2000 --dropout=0.0\n"
    "  gradus train --init_from=resume --out_dir=out --max_iters=4000\n"
    "  cat *.txt | gradus train --text - --log run.jsonl\n";

}  // namespace

Settings nanogpt_defaults() { return {}; }

Settings fable_defaults() {
  Settings s;
  s.model.n_layer = 4;
  s.model.n_head = 4;
  s.model.n_embd = 128;
  s.model.n_positions = 128;
  s.model.dropout = Scalar(0);
  s.recipe.batch_size = 16;
  s.recipe.max_iters = 1000;
  s.recipe.schedule = {.rate = 3e-3, .floor = 3e-4, .warmup = 100, .decay = 1000};
  s.recipe.eval_interval = 250;
  s.recipe.eval_iters = 20;
  s.out_dir = "out-fables";
  return s;
}

void add_train_flags(Flags& flags, Settings& s) {
  flags.group("Text");
  flags.add("--text", s.texts, "a text file; may be repeated; - is standard input", "FILE");
  flags.add("--tokenizer", s.tokenizer, "char (characters) or byte", "KIND");
  flags.group("Model");
  flags.add("--n_layer", s.model.n_layer, "blocks", 1);
  flags.add("--n_head", s.model.n_head, "attention heads of a block", 1);
  flags.add("--n_embd", s.model.n_embd, "channels, a multiple of n_head", 1);
  flags.add("--block_size", s.model.n_positions, "the longest text it looks at, in tokens", 1);
  flags.add("--dropout", s.model.dropout, "probability of dropping, below 1", 0);
  flags.add("--bias", s.model.bias, "biases in linear layers and norms");
  flags.group("Recipe");
  flags.add("--max_iters", s.recipe.max_iters, "steps in all", 0);
  flags.add("--batch_size", s.recipe.batch_size, "texts in a batch", 1);
  flags.add("--gradient_accumulation_steps", s.recipe.gradient_accumulation_steps,
            "batches to a step", 1);
  flags.add("--learning_rate", s.recipe.schedule.rate, "the highest rate", 0);
  flags.add("--min_lr", s.recipe.schedule.floor, "the rate at the end", 0);
  flags.add("--warmup_iters", s.recipe.schedule.warmup, "steps of warm-up", 0);
  flags.add("--lr_decay_iters", s.recipe.schedule.decay, "steps until min_lr", 0);
  flags.add("--decay_lr", s.recipe.decay_lr, "lower the rate over time");
  flags.add("--weight_decay", s.recipe.adamw.weight_decay, "AdamW's, of matrices", 0);
  flags.add("--beta1", s.recipe.adamw.beta1, "AdamW's", 0);
  flags.add("--beta2", s.recipe.adamw.beta2, "AdamW's", 0);
  flags.add("--grad_clip", s.recipe.grad_clip, "largest norm of the gradients; 0 for none", 0);
  flags.add("--seed", s.recipe.seed, "of all random choices", 0);
  flags.group("Run");
  flags.add("--out_dir", s.out_dir, "folder for checkpoints, log.jsonl and loss.svg", "DIR");
  flags.add("--init_from", s.init_from, "scratch or resume", "HOW");
  flags.add("--checkpoint", s.checkpoint, "what to resume: last, best or a folder", "WHICH");
  flags.add("--overwrite", s.overwrite, "begin afresh in a folder that holds a checkpoint");
  flags.add("--eval_interval", s.recipe.eval_interval, "steps between evaluations", 1);
  flags.add("--eval_iters", s.recipe.eval_iters, "batches of an evaluation, for each split", 1);
  flags.add("--always_save_checkpoint", s.recipe.always_save_checkpoint,
            "keep last besides best at each evaluation");
  flags.add("--log_interval", s.log_interval, "steps between lines of progress and log", 1);
  flags.add("--log", s.log, "a log beside out_dir/log.jsonl, one JSON object a line", "FILE");
  flags.add("--dry_run", s.dry_run, "print the plan and stop");
  flags.add_positional("config", s.config,
                       "a recipe: train_shakespeare_char (nanoGPT's, for own text the default) or\n"
                       "fables (quick, for the bundled fables the default)");
  flags.ignore(kIgnored);
  flags.footer(kExamples);
}

void settle_new_run(Flags& flags, Settings& settings, const Arguments& arguments) {
  const std::string config = std::filesystem::path(settings.config).stem().string();
  const bool fables = config == "fables" || (config.empty() && settings.texts.empty());
  check(
      fables || config.empty() || config == "train_shakespeare_char", settings.config,
      ": is no known recipe (known are train_shakespeare_char and fables; put a text's name after "
      "--text, and give other values as flags)");
  check(!settings.init_from.starts_with("gpt2"), "--init_from=", settings.init_from,
        ": GPT-2's weights are not loaded for training (use scratch, or resume to go on with a "
        "checkpoint of gradus)");
  check(settings.init_from == "scratch", "--init_from=", settings.init_from,
        ": is not known (use scratch or resume)");
  const bool own_text = !settings.texts.empty();
  settings = fables ? fable_defaults() : nanogpt_defaults();
  if (config == "train_shakespeare_char") {
    settings.out_dir = "out-shakespeare-char";  // where nanoGPT's config puts it
  } else if (own_text) {
    settings.out_dir = nanogpt_defaults().out_dir;
  }
  flags.parse(arguments);
  if (!flags.given("--lr_decay_iters")) {
    settings.recipe.schedule.decay = settings.recipe.max_iters;
  }
  if (!flags.given("--min_lr")) {
    settings.recipe.schedule.floor = settings.recipe.schedule.rate / 10;
  }
}

std::vector<std::string> settle_resumed_run(Flags& flags, Settings& settings,
                                            const Arguments& arguments, const GptConfig& model,
                                            const TrainOptions& recipe,
                                            const std::string& tokenizer) {
  settings.model = model;
  settings.recipe = recipe;
  settings.tokenizer = tokenizer;
  std::vector<std::pair<std::string, std::string>> kept;
  for (const std::string& name : flags.given()) {
    if (!is_one_of(name, kNoRecipe)) {
      kept.emplace_back(name, flags.value(name));
    }
  }
  flags.parse(arguments);
  std::vector<std::string> changes;
  for (const auto& [name, before] : kept) {
    const std::string now = flags.value(name);
    if (now == before) {
      continue;
    }
    check(!is_one_of(name, kSizes), name, "=", now, ": the checkpoint has ", before,
          ", and a model's sizes cannot change (leave the flag out, or begin afresh)");
    changes.push_back(name.substr(2) + " " + before + " -> " + now);
  }
  return changes;
}

}  // namespace gradus
