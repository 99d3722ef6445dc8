#include "cli/run/train_flags.h"

#include "cli/run/settle.h"
#include "cli/tasks/kinds.h"
#include "cli/tasks/recipes.h"
#include "cli/tasks/texts.h"

namespace gradus {
using namespace detail;
namespace {

constexpr unsigned kGpts = kOnText | on_examples(ModelKind::kGpt);

/// Flags that change neither the model nor how it is trained.
constexpr Traits kNoRecipe = {.in_recipe = false};

/// nanoGPT's flags that have no effect on one CPU or without its services.
const std::string kRanks =
    "ignored, as gradus train runs one process ('./run cluster N train' starts N processes)";
const std::vector<Flags::Ignored> kSkipped = {
    {"--device"},
    {"--compile"},
    {"--backend"},
    {"--num_proc"},
    {"--eval_only"},
    {"--wandb_log", "ignored, as losses are logged only to out_dir/log.jsonl"},
    {"--wandb_project"},
    {"--wandb_run_name"},
    {"--dataset", "ignored, as the text comes from --text"},
    {"--standalone"},
    {"--nproc_per_node", kRanks},
    {"--nnodes", kRanks},
    {"--node_rank"},
    {"--master_addr"},
    {"--master_port"}};

constexpr const char* kExamples =
    "Without --text, gradus train uses the bundled tales and the folder out-tales/. For a\n"
    "text of your own, the default is --minutes 2. The length of the text and --minutes\n"
    "determine the model and the tokenizer; the measured time of a step determines the number\n"
    "of steps. The plan shows them.\n"
    "\n"
    "nanoGPT's command lines for train_shakespeare_char work unchanged. nanoGPT's config or a\n"
    "size flag (--n_layer, --n_head, --n_embd, --block_size, --batch_size) selects its\n"
    "defaults; --minutes then sets only the number of steps. The default of min_lr is\n"
    "learning_rate / 10, or learning_rate / 100 with --average. The default of lr_decay_iters\n"
    "is max_iters.\n"
    "\n"
    "Values of --data, by model:\n"
    "  gpt         prompts (a mixture of the next three), tweets, french, summaries,\n"
    "              reports (summaries, every second one with more detail),\n"
    "              or a file of lines `prompt TAB answer`\n"
    "  translator  english-portuguese, or a file of lines `source TAB target`\n"
    "  classifier  sentiment, topics, or a file of lines `label TAB text`\n"
    "  bert        fables, tales, sentiment, topics, or a text file;\n"
    "              the model learns to fill in masked words\n"
    "  vit         digits, or IMAGES,LABELS in MNIST's IDX format (may be .gz);\n"
    "              with held-out files: IMAGES,LABELS,IMAGES,LABELS\n"
    "With --data, a GPT learns to answer prompts. By default, a tenth of the data is held\n"
    "out.\n"
    "\n"
    "A new run does not overwrite an earlier checkpoint unless you pass --overwrite. A run\n"
    "without --text and --out_dir moves the earlier folder to out-tales.previous,\n"
    ".previous.2 and so on; you may delete these folders. Only one process can train in an\n"
    "out_dir at a time. Progress goes to standard error, the sample at the end to standard\n"
    "output. Ctrl-C finishes the step, saves a checkpoint and prints the command that resumes\n"
    "the run.\n"
    "\n"
    "Examples:\n"
    "  gradus train\n"
    "  gradus train --text notes.txt --text letters.txt --out_dir=out-mine\n"
    "  gradus train --text notes.txt --minutes 10\n"
    "  gradus train --text notes.txt --recipe fast --max_iters=1000\n"
    "  gradus train --text input.txt config/train_shakespeare_char.py --device=cpu --compile=False "
    "\\\n"
    "    --eval_iters=20 --block_size=64 --batch_size=12 --n_layer=4 --n_head=4 --n_embd=128 \\\n"
    "    --max_iters=2000 --lr_decay_iters=2000 --dropout=0.0\n"
    "  gradus train --text notes.txt --tokenizer bpe --vocab_size 1000\n"
    "  gradus train --model gpt --data prompts\n"
    "  gradus train --model translator\n"
    "  gradus train --model bert --data notes.txt\n"
    "  gradus train --model classifier --data reviews.tsv --tokenizer bpe --vocab_size 2000\n"
    "  gradus train --init_from=resume --out_dir=out --max_iters=4000\n"
    "  gradus train --init_from=gpt2-folder --text notes.txt --out_dir=out-notes\n"
    "  cat *.txt | gradus train --text - --log run.jsonl\n";

/// The settings whose values --help shows: the defaults for the model, data and recipe that are
/// given with --help.
Settings settings_for_help(const Settings& given) {
  if (given.kind != ModelKind::kGpt || !given.data.empty()) {
    return defaults_of(given.kind);
  }
  const auto recipe = named_recipe(given.recipe_name);
  return recipe ? recipe() : tales_defaults();
}

/// The kinds of runs that use a tokenizer.
unsigned runs_with_tokens() {
  unsigned runs = kOnText;
  for (const TaskKind& kind : task_kinds()) runs |= kind.has_tokens ? on_examples(kind.model) : 0;
  return runs;
}

/// The kinds of models, as help lists them: "gpt, bert or vit".
std::string kinds_for_help(ModelKind kind) {
  std::string names = all_names(kind);
  std::erase(names, '"');
  return names;
}

/// Flags of the data.
void add_data_flags(Flags& flags, Settings& s) {
  flags.group("Task");
  flags.add("--model", s.kind, kinds_for_help(s.kind), {.by_model = true});
  add_examples_flags(flags, s);
  flags.group("Text");
  flags.add("--text", s.texts,
            "text file to train on (- for standard input), or\ntales or fables, which are bundled; "
            "may be repeated",
            "FILE", {.of = kOnText, .in_recipe = false, .names = Names::kFiles});
  flags.add(kKeepCrlf, s.keep_crlf, kKeepCrlfHelp, {.of = kOnText, .recorded = true});
  flags.add("--tokenizer", s.tokenizer,
            "char (characters), byte, bpe (byte pairs) or word;\nfor bert: wordpiece", "KIND",
            {.of = runs_with_tokens(), .by_model = true},
            {kTokenizerKinds.begin(), kTokenizerKinds.end()});
  flags.add("--vocab_size", s.vocab_size,
            text("maximum number of tokens (bpe, word); 0: ", kUsualVocabulary), 0,
            {.of = runs_with_tokens(), .by_model = true});
}

/// Flags of the model. A loaded model fixes all of them except the dropout.
void add_model_flags(Flags& flags, Settings& s) {
  flags.group("Model");
  constexpr Traits kSize = {.by_model = true, .is_nanogpt_size = true};
  flags.add("--n_layer", s.model.n_layer, "number of transformer blocks", 1, kSize);
  flags.add("--n_head", s.model.n_head, "attention heads per block", 1, kSize);
  flags.add("--n_embd", s.model.n_embd, "channels (embedding width), a multiple of n_head", 1,
            kSize);
  flags.add("--block_size", s.model.n_positions, "maximum context length, in tokens", 1,
            {.of = runs_with_tokens(), .by_model = true, .is_nanogpt_size = true});
  flags.add("--dropout", s.model.dropout, "dropout probability, below 1", 0);
  flags.add("--bias", s.model.bias, "use biases in linear layers and norms", {.by_model = true});
  flags.add("--n_inner", s.model.n_inner, "width of the feed-forward network; 0: 4 * n_embd", 0,
            {.by_model = true});
  flags.add("--activation", s.model.activation,
            "activation function: gelu_new (GPT-2's), relu2 (ReLU\nsquared), relu, gelu, silu, "
            "glu, reglu, geglu or swiglu",
            {.by_model = true});
  flags.add("--position", s.model.position,
            "positional encoding: learned (GPT-2's), rotary, none,\n"
            "integer, binary, sinusoidal, concatenated, relative, t5,\n"
            "alibi or unit (only for bert, classifier and vit)",
            {.by_model = true});
  flags.add("--norm", s.model.norm, "kind of norm: layer (GPT-2's) or rms", {.by_model = true});
  flags.add("--norm_place", s.norm_place, "place of the norms: pre or post (not for gpt)",
            {.of = ~kGpts, .by_model = true});
  flags.add("--patch", s.patch, "side of an image patch, in pixels (vit)", 1,
            {.of = on_examples(ModelKind::kVision), .by_model = true});
  flags.add("--word_vectors", s.word_vectors,
            "initial embeddings in GloVe's format (classifier with\n--tokenizer word)", "FILE",
            {.of = on_examples(ModelKind::kClassifier), .by_model = true, .names = Names::kFiles});
  flags.add("--freeze_vectors", s.freeze_vectors, "do not train the embeddings of --word_vectors",
            {.of = on_examples(ModelKind::kClassifier), .by_model = true});
  flags.add("--token_shift", s.model.token_shift,
            "replace half of a token's channels with channels of the\nprevious 1 to 3 tokens",
            {.of = kGpts, .by_model = true});
  flags.add("--tied", s.model.tied,
            "use the embedding's weights in the output layer too (as\nin GPT-2)",
            {.of = kGpts, .by_model = true});
}

}  // namespace

void add_train_flags(Flags& flags, Settings& s) {
  flags.show_first(
      {"--text", "--minutes", "--model", "--data", "--recipe", "--out_dir", "--max_iters",
       "--init_from", "--overwrite", "--dry_run"},
      "Defaults in brackets are for the bundled tales. To see the defaults of another run, add "
      "--model, --data or --recipe. For a text of your own, some defaults depend on the text: "
      "--dry_run prints them. "
      "'gradus train --help-all' lists all flags.");
  flags.before_help([&flags, &s] {
    s = settings_for_help(s);
    s.minutes = kOwnMinutes;
    complete_schedule(flags, s);
  });
  add_data_flags(flags, s);
  add_model_flags(flags, s);
  flags.group("Recipe");
  flags.add("--minutes", s.minutes,
            "training time of a new model on a text, in minutes:\n"
            "determines the number of steps, and the sizes that you do\nnot set",
            0, {.of = kOnText, .in_recipe = false});
  flags.add(
      "--recipe", s.recipe_name,
      "set of defaults: own (sized for the text), fast (trains in\nseconds), strong (trains in "
      "minutes, in bfloat16 if the CPU\nsupports it) or nanogpt",
      "NAME", {.of = kOnText, .in_recipe = false}, kRecipes);
  add_recipe_flags(flags, s);
  flags.group("Run");
  flags.add("--out_dir", s.out_dir, "folder for checkpoints, log.jsonl and loss.svg", "DIR",
            {.in_recipe = false, .names = Names::kOutput});
  flags.add("--init_from", s.init_from,
            "what to start from: scratch, resume (the run in --out_dir)\nor the folder of a GPT",
            "HOW", kNoRecipe);
  flags.add("--checkpoint", s.checkpoint, "checkpoint to resume: last, best or a folder", "WHICH",
            kNoRecipe);
  add_run_flags(flags, s);
  flags.add_positional(
      "config", s.config,
      "nanoGPT's config/train_shakespeare_char.py: selects its\ndefaults and its out_dir",
      {.of = kOnText, .in_recipe = false});
  flags.ignore(kSkipped);
  flags.footer(kExamples);
}

void add_examples_flags(Flags& flags, Settings& s) {
  flags.add("--data", s.data, "training examples: a built-in set or a file (see below)", "NAME",
            {.of = kOnExamples, .in_recipe = false, .recorded = true, .names = Names::kExamples});
  flags.add("--examples", s.examples, "maximum number of training examples; 0: all", 0,
            {.of = kOnExamples, .in_recipe = false, .recorded = true});
  flags.add("--loss_on_prompt", s.loss_on_prompt,
            "train a GPT on the prompts too, not only on the answers",
            {.of = on_examples(ModelKind::kGpt), .recorded = true});
  flags.add("--dpo", s.dpo,
            "for a trained GPT (gradus finetune): learn which of two answers\nis better, with this "
            "beta: the tie to the original model; default\nfor --data preferences: 0.1; 0: no",
            0, {.of = on_examples(ModelKind::kGpt), .by_run = true, .recorded = true});
}

void add_recipe_flags(Flags& flags, Settings& s) {
  flags.group("Recipe");
  flags.add("--max_iters", s.recipe.max_iters, "total number of training steps", 0);
  flags.add("--batch_size", s.recipe.batch_size, "sequences or examples per batch", 1,
            {.is_nanogpt_size = true});
  flags.add("--gradient_accumulation_steps", s.recipe.gradient_accumulation_steps,
            "number of batches per step", 1);
  flags.add("--local_steps", s.recipe.local_steps,
            "with several processes: steps between weight averaging;\n"
            "0: average the gradients in every step",
            0);
  flags.add("--learning_rate", s.recipe.schedule.rate, "maximum learning rate", 0);
  flags.add("--min_lr", s.recipe.schedule.floor, "learning rate at the end", 0);
  flags.add("--warmup_iters", s.recipe.schedule.warmup, "number of warm-up steps", 0);
  flags.add("--lr_decay_iters", s.recipe.schedule.decay, "step at which the rate reaches min_lr",
            0);
  flags.add("--decay_lr", s.recipe.decay_lr, "lower the learning rate over time");
  flags.add("--schedule", s.recipe.schedule.kind,
            "learning rate after the warm-up: cosine, linear, constant or\ninverse_sqrt");
  flags.add("--optimizer", s.recipe.optimiser,
            "sgd, momentum, nesterov, rmsprop, adam, adamw or muon", {.by_run = true});
  flags.add("--momentum", s.recipe.momentum, "momentum factor (momentum, nesterov, muon)", 0);
  flags.add("--weight_decay", s.recipe.adamw.weight_decay,
            "weight decay of matrices (adam, adamw), or of embeddings and the\noutput layer (muon)",
            0);
  flags.add("--beta1", s.recipe.adamw.beta1, "decay of the mean gradient (adam, adamw, muon)", 0);
  flags.add("--beta2", s.recipe.adamw.beta2,
            "decay of the mean squared gradient (adam, adamw, muon)", 0);
  flags.add("--average", s.recipe.average,
            "decay of a moving average of the weights, which is\n"
            "evaluated and saved instead of them; 0: no average",
            0, {.by_run = true});
  flags.add("--patience", s.recipe.patience,
            "stop after N evaluations without improvement; 0: never", 0);
  flags.add("--grad_clip", s.recipe.grad_clip, "maximum norm of the gradients; 0: no clipping", 0);
  flags.add("--seed", s.recipe.seed, "random seed", 0);
  flags.add("--dtype", s.recipe.dtype,
            "float32, or bfloat16 for matrix products: up to twice as\n"
            "fast on a CPU with AVX512_BF16");
  flags.read_as("--dtype", "float16", "float32");
}

void add_run_flags(Flags& flags, Settings& s) {
  flags.add("--overwrite", s.overwrite, "start a new run in a folder that holds a checkpoint",
            kNoRecipe);
  flags.add("--eval_interval", s.recipe.eval_interval, "steps between evaluations", 1);
  flags.add(
      "--eval_iters", s.recipe.eval_iters,
      "batches per evaluation of each split, the same batches each\ntime; 0: all held-out data "
      "(default if this takes little\ntime)",
      0);
  flags.add("--always_save_checkpoint", s.recipe.always_save_checkpoint,
            "save the checkpoint last at each evaluation, not only best");
  flags.add("--log_interval", s.log_interval,
            "steps between progress lines, and between entries of\nlog.jsonl", 1, kNoRecipe);
  flags.add("--log", s.log, "additional log file, one JSON object per line", "FILE",
            {.in_recipe = false, .names = Names::kOutput});
  flags.add("--profile", s.profile, "print the time per op at the end", kNoRecipe);
  flags.add("--dry_run", s.dry_run, "print the plan and stop", kNoRecipe);
  flags.add("--yes", s.yes, "start a long run without asking; short form: -y", kNoRecipe);
}

}  // namespace gradus
