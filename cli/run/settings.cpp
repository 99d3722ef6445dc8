#include "cli/run/settings.h"

#include <algorithm>
#include <utility>

#include "autograd/check.h"
#include "autograd/kernels/blas.h"
#include "cli/run/run_record.h"
#include "cli/tasks/bert_tasks.h"
#include "cli/tasks/classifier_tasks.h"
#include "nn/data/corpus.h"
#include "nn/names.h"

namespace gradus {
using namespace detail;
namespace {

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

/// A GPT on prompts: rotary positions and token shifts find the words to copy.
Settings prompt_defaults() {
  Settings s = fast_defaults();
  s.has_prompts = true;
  s.tokenizer = "word";
  s.out_dir = "out-prompts";
  s.recipe.batch_size = 32;
  s.recipe.max_iters = 1000;
  s.recipe.schedule = {.rate = 3e-3, .floor = 3e-4, .warmup = 50, .decay = 1000};
  s.recipe.adamw.weight_decay = 0.1;
  s.recipe.grad_clip = 1;
  s.recipe.eval_interval = 250;
  s.recipe.eval_iters = 10;
  return s;
}

}  // namespace

unsigned kind_of_run(const Settings& settings) {
  return settings.kind == ModelKind::kGpt && !settings.has_prompts ? kOnText
                                                                   : on_examples(settings.kind);
}

Settings nanogpt_defaults() { return {}; }

Settings fast_defaults() {
  Settings s;
  s.model.n_layer = 2;
  s.model.n_head = 4;
  s.model.n_embd = 128;
  s.model.n_inner = 256;
  s.model.n_positions = 64;
  s.model.dropout = 0;
  s.model.activation = Activation::kReluSquared;
  s.model.position = Position::kRotary;
  s.model.token_shift = true;
  s.model.tied = false;
  s.recipe.batch_size = 12;
  s.recipe.max_iters = 300;
  s.recipe.schedule = {.rate = 5e-3, .floor = 5e-4, .warmup = 20, .decay = 300};
  s.recipe.adamw = {.beta1 = 0.9, .beta2 = 0.95, .weight_decay = 0};
  s.recipe.grad_clip = 0;
  s.recipe.eval_interval = 100;
  s.recipe.eval_iters = 20;
  return s;
}

Settings strong_defaults() {
  Settings s = fast_defaults();
  s.model.n_layer = 4;
  s.model.n_embd = 256;
  s.model.n_inner = 512;
  s.model.n_positions = 256;
  s.model.dropout = Scalar(0.1);
  s.recipe.batch_size = 16;
  s.recipe.max_iters = 2000;
  s.recipe.schedule = {.rate = 3e-3, .floor = 3e-5, .warmup = 100, .decay = 2000};
  s.recipe.adamw.weight_decay = 2;  // a text that is read eight times
  s.recipe.average = 0.99;
  s.recipe.eval_interval = 500;
  if (!bfloat16_obstacle()) s.recipe.dtype = ProductPrecision::kBfloat16;
  return s;
}

Settings task_defaults(ModelKind kind) {
  if (kind == ModelKind::kGpt) {
    return prompt_defaults();
  }
  Settings s;
  s.kind = kind;
  s.tokenizer = "word";
  s.out_dir = std::string("out-") + name_of(kind);
  s.model.n_layer = 2;
  s.model.n_head = 4;
  s.model.n_embd = 128;
  s.model.n_inner = 256;
  s.model.n_positions = 64;
  s.model.dropout = Scalar(0.1);
  s.model.bias = true;
  s.model.activation = Activation::kGelu;
  s.model.position = Position::kSinusoidal;
  s.recipe.batch_size = 64;
  s.recipe.max_iters = 1000;
  s.recipe.schedule = {.rate = 2e-3, .floor = 2e-4, .warmup = 50, .decay = 1000};
  s.recipe.adamw = {.beta1 = 0.9, .beta2 = 0.98, .weight_decay = 0.01};
  s.recipe.eval_interval = 250;
  s.recipe.eval_iters = 10;
  if (kind == ModelKind::kTranslator) {
    s.model.n_embd = 96;
    s.model.n_inner = 192;
    s.recipe.schedule.rate = 3e-3;
  } else if (kind == ModelKind::kClassifier) {
    adopt_classifier_defaults(s);
  } else if (kind == ModelKind::kVision) {
    adopt_vision_defaults(s);
  } else if (kind == ModelKind::kBert) {
    use_bert_defaults(s);
  }
  return s;
}

LayerOptions layer_options(const Settings& settings) {
  const GptConfig& m = settings.model;
  return {.d_model = m.n_embd,
          .num_heads = m.n_head,
          .d_ff = m.n_inner,
          .dropout = m.dropout,
          .activation = m.activation,
          .norm = m.norm,
          .norm_place = settings.norm_place,
          .epsilon = m.layer_norm_epsilon,
          .position = m.position,
          .max_length = m.n_positions,
          .bias = m.bias};
}

void take_layer_options(Settings& settings, const LayerOptions& layer, int n_layer) {
  GptConfig& m = settings.model;
  m.n_layer = n_layer;
  m.n_embd = layer.d_model;
  m.n_head = layer.num_heads;
  m.n_inner = layer.d_ff;
  m.dropout = layer.dropout;
  m.activation = layer.activation;
  m.norm = layer.norm;
  settings.norm_place = layer.norm_place;
  m.layer_norm_epsilon = layer.epsilon;
  m.position = layer.position;
  m.n_positions = layer.max_length;
  m.bias = layer.bias;
}

Settings fable_defaults() {
  Settings s = fast_defaults();
  s.tokenizer = "bpe";  // words come out whole, and a block holds a third of a fable
  s.vocab_size = 1024;
  s.model.n_layer = 4;
  s.model.n_positions = 128;
  s.model.dropout = Scalar(0.2);
  s.recipe.batch_size = 16;
  s.recipe.max_iters = 800;
  s.recipe.adamw.weight_decay = 4;  // a short text, read eighteen times
  s.recipe.average = 0.99;
  s.recipe.eval_interval = 250;
  s.out_dir = "out-fables";
  return s;
}

Settings settings_for_help(const Settings& given) {
  if (given.kind != ModelKind::kGpt || !given.data.empty()) {
    return task_defaults(given.kind);
  }
  return given.recipe_name == "nanogpt"  ? nanogpt_defaults()
         : given.recipe_name == "fast"   ? fast_defaults()
         : given.recipe_name == "strong" ? strong_defaults()
                                         : fable_defaults();
}

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
  constexpr unsigned kGpts = kOnText | on_examples(ModelKind::kGpt);
  constexpr unsigned kWithTokens = ~on_examples(ModelKind::kVision);
  constexpr unsigned kOfVision = on_examples(ModelKind::kVision);
  constexpr unsigned kOfClassifier = on_examples(ModelKind::kClassifier);
  flags.group("Task");
  flags.add("--model", s.kind, "gpt, bert, classifier, translator or vit", {.by_model = true});
  flags.add("--data", s.data, "examples to learn from: a built-in set or a file; see below", "NAME",
            {.of = kOnExamples, .in_recipe = false});
  add_examples_flags(flags, s);
  flags.group("Text");
  flags.add("--text", s.texts, "a text file; may be repeated; - is standard input", "FILE",
            {.of = kOnText, .in_recipe = false});
  flags.add(kKeepCrlf, s.keep_crlf, kKeepCrlfHelp, {.of = kOnText});
  flags.add("--tokenizer", s.tokenizer,
            "char (characters), byte, bpe (byte pairs) or word;\nwordpiece for BERT", "KIND",
            {.of = kWithTokens, .by_model = true});
  flags.add("--vocab_size", s.vocab_size,
            text("tokens of bpe or word at most; 0 for ", kUsualVocabulary), 0,
            {.of = kWithTokens, .by_model = true});
  flags.group("Model");
  constexpr Traits kSize = {.by_model = true, .is_nanogpt_size = true};
  flags.add("--n_layer", s.model.n_layer, "blocks", 1, kSize);
  flags.add("--n_head", s.model.n_head, "attention heads of a block", 1, kSize);
  flags.add("--n_embd", s.model.n_embd, "channels, a multiple of n_head", 1, kSize);
  flags.add("--block_size", s.model.n_positions, "the longest text it looks at, in tokens", 1,
            {.of = kWithTokens, .by_model = true, .is_nanogpt_size = true});
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
            {.of = kOfVision, .by_model = true});
  flags.add("--word_vectors", s.word_vectors,
            "embeddings to begin with, in GloVe's format (classifier of words)", "FILE",
            {.of = kOfClassifier, .by_model = true});
  flags.add("--freeze_vectors", s.freeze_vectors, "keep them as they are",
            {.of = kOfClassifier, .by_model = true});
  flags.add("--token_shift", s.model.token_shift, "half of the channels from 1 to 3 tokens before",
            {.of = kGpts, .by_model = true});
  flags.add("--tied", s.model.tied, "the embedding is the output layer too (GPT-2's)",
            {.of = kGpts, .by_model = true});
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
            kNoRecipe);
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
            kNoRecipe);
  flags.add("--profile", s.profile, "show where the steps' time went, by op, at the end",
            kNoRecipe);
  flags.add("--dry_run", s.dry_run, "print the plan and stop", kNoRecipe);
  flags.add("--yes", s.yes, "begin a long run without a question; or -y", kNoRecipe);
}

/// min_lr and lr_decay_iters follow from the others unless they are given.
void complete_schedule(const Flags& flags, Settings& settings) {
  if (!flags.given("--lr_decay_iters")) {
    settings.recipe.schedule.decay = settings.recipe.max_iters;
  }
  if (!flags.given("--min_lr")) {
    settings.recipe.schedule.floor = following_floor(settings.recipe);
  }
}

double following_floor(const TrainOptions& recipe) {
  return recipe.schedule.rate / (recipe.average > 0 ? 100 : 10);  // the average is calm by itself
}

}  // namespace gradus
