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

/// nanoGPT's flags that mean nothing on one CPU, or without its services.
const std::string kRanks = "this is one process ('./run cluster N train' starts N)";
const std::vector<Flags::Ignored> kSkipped = {
    {"--device"},
    {"--compile"},
    {"--backend"},
    {"--num_proc"},
    {"--eval_only"},
    {"--wandb_log", "losses are in out_dir/log.jsonl, and nowhere on the net"},
    {"--wandb_project"},
    {"--wandb_run_name"},
    {"--dataset", "the text is that of --text"},
    {"--standalone"},
    {"--nproc_per_node", kRanks},
    {"--nnodes", kRanks},
    {"--node_rank"},
    {"--master_addr"},
    {"--master_port"}};

constexpr const char* kExamples =
    "Without --text it trains on the bundled fables, into out-fables/. A text of your own is\n"
    "trained on for --minutes 2: model and tokenizer are chosen for its size and the time, the\n"
    "steps by what one takes here; the plan shows them. Given one of nanoGPT's sizes (--n_layer,\n"
    "--n_head, --n_embd, --block_size, --batch_size) or its config, all else is as in its\n"
    "train_shakespeare_char, and a command line of nanoGPT works as it is; --minutes then chooses\n"
    "the steps alone. min_lr and lr_decay_iters follow learning_rate / 10 (with --average: / 100)\n"
    "and max_iters unless given.\n"
    "\n"
    "With --data a GPT learns to answer prompts: prompts (a mixture of the next three), tweets,\n"
    "french, summaries or a file of lines `prompt TAB answer`.\n"
    "Other models: --data takes english-portuguese or a file of lines `source TAB target`\n"
    "(translator); sentiment, topics or lines `label TAB text` (classifier); fables, sentiment,\n"
    "topics or a text file (bert, for masked words); digits or IMAGES,LABELS in MNIST's IDX\n"
    "format, as .gz too (vit; two files more are held out). "
    "A tenth is held out.\n"
    "\n"
    "A checkpoint of an earlier run is never overwritten unasked: the default run sets it aside\n"
    "as out-fables.previous, .previous.2 and so on, which are yours to remove; any other run "
    "needs\n"
    "--overwrite. One training works in an out_dir at a time. Progress goes to standard error, "
    "the\n"
    "sample at the end to standard output. Ctrl-C finishes the step, saves and says how to go on.\n"
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

/// The settings whose values --help shows: the defaults of the model, data and recipe that stand
/// beside it.
Settings settings_for_help(const Settings& given) {
  if (given.kind != ModelKind::kGpt || !given.data.empty()) {
    return defaults_of(given.kind);
  }
  const auto recipe = named_recipe(given.recipe_name);
  return recipe ? recipe() : fable_defaults();
}

/// The kinds of runs that read by a tokenizer.
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
  flags.add("--data", s.data, "examples to learn from: a built-in set or a file; see below", "NAME",
            {.of = kOnExamples, .in_recipe = false, .names = Names::kExamples});
  add_examples_flags(flags, s);
  flags.group("Text");
  flags.add("--text", s.texts, "a text file; may be repeated; - is standard input", "FILE",
            {.of = kOnText, .in_recipe = false, .names = Names::kFiles});
  flags.add(kKeepCrlf, s.keep_crlf, kKeepCrlfHelp, {.of = kOnText});
  flags.add("--tokenizer", s.tokenizer,
            "char (characters), byte, bpe (byte pairs) or word;\nwordpiece for BERT", "KIND",
            {.of = runs_with_tokens(), .by_model = true});
  flags.add("--vocab_size", s.vocab_size,
            text("tokens of bpe or word at most; 0 for ", kUsualVocabulary), 0,
            {.of = runs_with_tokens(), .by_model = true});
}

/// Flags of the model. A loaded model fixes all of them but the dropout.
void add_model_flags(Flags& flags, Settings& s) {
  flags.group("Model");
  constexpr Traits kSize = {.by_model = true, .is_nanogpt_size = true};
  flags.add("--n_layer", s.model.n_layer, "blocks", 1, kSize);
  flags.add("--n_head", s.model.n_head, "attention heads of a block", 1, kSize);
  flags.add("--n_embd", s.model.n_embd, "channels, a multiple of n_head", 1, kSize);
  flags.add("--block_size", s.model.n_positions, "the longest text it looks at, in tokens", 1,
            {.of = runs_with_tokens(), .by_model = true, .is_nanogpt_size = true});
  flags.add("--dropout", s.model.dropout, "probability of dropping, below 1", 0);
  flags.add("--bias", s.model.bias, "biases in linear layers and norms", {.by_model = true});
  flags.add("--n_inner", s.model.n_inner, "width of the feed-forward network; 0 for 4 n_embd", 0,
            {.by_model = true});
  flags.add(
      "--activation", s.model.activation,
      "gelu_new (GPT-2's), relu2 (ReLU squared), relu,\ngelu, silu, glu, reglu, geglu or swiglu",
      {.by_model = true});
  flags.add("--position", s.model.position,
            "learned (GPT-2's), rotary, none, integer, binary,\n"
            "sinusoidal, concatenated, relative, t5, alibi or unit\n"
            "(unit: bert, classifier and vit alone)",
            {.by_model = true});
  flags.add("--norm", s.model.norm, "layer (GPT-2's) or rms", {.by_model = true});
  flags.add("--norm_place", s.norm_place, "pre or post, of other models than GPT",
            {.of = ~kGpts, .by_model = true});
  flags.add("--patch", s.patch, "the side of an image's patches, in pixels (vit)", 1,
            {.of = on_examples(ModelKind::kVision), .by_model = true});
  flags.add("--word_vectors", s.word_vectors,
            "embeddings to begin with, in GloVe's format (classifier of words)", "FILE",
            {.of = on_examples(ModelKind::kClassifier), .by_model = true, .names = Names::kFiles});
  flags.add("--freeze_vectors", s.freeze_vectors, "keep them as they are",
            {.of = on_examples(ModelKind::kClassifier), .by_model = true});
  flags.add("--token_shift", s.model.token_shift, "half of the channels from 1 to 3 tokens before",
            {.of = kGpts, .by_model = true});
  flags.add("--tied", s.model.tied, "the embedding is the output layer too (GPT-2's)",
            {.of = kGpts, .by_model = true});
}

}  // namespace

void add_train_flags(Flags& flags, Settings& s) {
  flags.show_first(
      {"--text", "--minutes", "--model", "--data", "--recipe", "--out_dir", "--max_iters",
       "--init_from", "--overwrite", "--dry_run"},
      "Values in brackets are those for the bundled fables, or for what --model, --data "
      "or --recipe beside --help say. For a text of your own they may follow from it: "
      "--dry_run prints the plan. All other flags: 'gradus train --help-all'.");
  flags.before_help([&flags, &s] {
    s = settings_for_help(s);
    s.minutes = kOwnMinutes;
    complete_schedule(flags, s);
  });
  add_data_flags(flags, s);
  add_model_flags(flags, s);
  flags.group("Recipe");
  flags.add("--minutes", s.minutes,
            "how long to train a new model on a text: chooses the steps,\n"
            "and the model's sizes unless they are given",
            0, {.of = kOnText, .in_recipe = false});
  flags.add("--recipe", s.recipe_name,
            "the defaults for model and recipe: own (sized for the text),\nfast (seconds), strong "
            "(minutes; in bfloat16 where the CPU can) or\nnanogpt",
            "NAME", {.of = kOnText, .in_recipe = false});
  add_recipe_flags(flags, s);
  flags.group("Run");
  flags.add("--out_dir", s.out_dir, "folder for checkpoints, log.jsonl and loss.svg", "DIR",
            {.in_recipe = false, .names = Names::kOutput});
  flags.add("--init_from", s.init_from, "scratch, resume, or the folder of a GPT to go on from",
            "HOW", kNoRecipe);
  flags.add("--checkpoint", s.checkpoint, "what to resume: last, best or a folder", "WHICH",
            kNoRecipe);
  add_run_flags(flags, s);
  flags.add_positional("config", s.config,
                       "nanoGPT's config/train_shakespeare_char.py: its recipe, in its out_dir",
                       {.of = kOnText, .in_recipe = false});
  flags.ignore(kSkipped);
  flags.footer(kExamples);
}

void add_examples_flags(Flags& flags, Settings& s) {
  flags.add("--examples", s.examples, "the most examples to train on; 0 for all", 0,
            {.of = kOnExamples, .in_recipe = false});
  flags.add("--loss_on_prompt", s.loss_on_prompt, "a GPT learns prompts as well as answers",
            {.of = on_examples(ModelKind::kGpt)});
}

void add_recipe_flags(Flags& flags, Settings& s) {
  flags.group("Recipe");
  flags.add("--max_iters", s.recipe.max_iters, "steps in all", 0);
  flags.add("--batch_size", s.recipe.batch_size, "texts in a batch", 1, {.is_nanogpt_size = true});
  flags.add("--gradient_accumulation_steps", s.recipe.gradient_accumulation_steps,
            "batches to a step", 1);
  flags.add("--local_steps", s.recipe.local_steps,
            "of several processes, steps that each makes by itself until\n"
            "all take the mean of their weights; 0 for steps together",
            0);
  flags.add("--learning_rate", s.recipe.schedule.rate, "the highest rate", 0);
  flags.add("--min_lr", s.recipe.schedule.floor, "the rate at the end", 0);
  flags.add("--warmup_iters", s.recipe.schedule.warmup, "steps of warm-up", 0);
  flags.add("--lr_decay_iters", s.recipe.schedule.decay, "steps until min_lr", 0);
  flags.add("--decay_lr", s.recipe.decay_lr, "lower the rate over time");
  flags.add("--schedule", s.recipe.schedule.kind,
            "cosine, linear, constant or inverse_sqrt, after the warm-up");
  flags.add("--optimizer", s.recipe.optimiser,
            "sgd, momentum, nesterov, rmsprop, adam, adamw or muon", {.by_run = true});
  flags.add("--momentum", s.recipe.momentum, "of momentum, nesterov and muon", 0);
  flags.add("--weight_decay", s.recipe.adamw.weight_decay, "AdamW's, of matrices", 0);
  flags.add("--beta1", s.recipe.adamw.beta1, "AdamW's", 0);
  flags.add("--beta2", s.recipe.adamw.beta2, "AdamW's", 0);
  flags.add("--average", s.recipe.average,
            "decay of a moving average of the weights, which is what\n"
            "is evaluated and kept; 0 for none",
            0, {.by_run = true});
  flags.add("--patience", s.recipe.patience,
            "stop after so many evaluations without a better one; 0\nfor not", 0);
  flags.add("--grad_clip", s.recipe.grad_clip, "largest norm of the gradients; 0 for none", 0);
  flags.add("--seed", s.recipe.seed, "of all random choices", 0);
  flags.add("--dtype", s.recipe.dtype,
            "float32, or bfloat16 for products in it, up to twice as\n"
            "fast where the CPU has AVX512_BF16");
  flags.read_as("--dtype", "float16", "float32");
}

void add_run_flags(Flags& flags, Settings& s) {
  flags.add("--overwrite", s.overwrite, "begin afresh in a folder that holds a checkpoint",
            kNoRecipe);
  flags.add("--eval_interval", s.recipe.eval_interval, "steps between evaluations", 1);
  flags.add("--eval_iters", s.recipe.eval_iters,
            "batches of an evaluation, for each split; the same each time;\n0 for all that is held "
            "out: the default where it takes little",
            0);
  flags.add("--always_save_checkpoint", s.recipe.always_save_checkpoint,
            "keep last besides best at each evaluation");
  flags.add("--log_interval", s.log_interval, "steps between lines of progress and log", 1,
            kNoRecipe);
  flags.add("--log", s.log, "a log beside out_dir/log.jsonl, one JSON object a line", "FILE",
            {.in_recipe = false, .names = Names::kOutput});
  flags.add("--profile", s.profile, "show where the steps' time went, by op, at the end",
            kNoRecipe);
  flags.add("--dry_run", s.dry_run, "print the plan and stop", kNoRecipe);
  flags.add("--yes", s.yes, "begin a long run without a question; or -y", kNoRecipe);
}

}  // namespace gradus
