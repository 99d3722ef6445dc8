#include "cli/settings.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "autograd/check.h"
#include "cli/bert_tasks.h"
#include "cli/classifier_tasks.h"
#include "nn/data/corpus.h"
#include "nn/names.h"

namespace gradus {
namespace {

/// nanoGPT's flags that mean nothing on one CPU in float32, or without its services.
const std::vector<std::string> kSkipped = {"--device",         "--dtype",       "--compile",
                                           "--backend",        "--wandb_log",   "--wandb_project",
                                           "--wandb_run_name", "--dataset",     "--eval_only",
                                           "--num_proc",       "--master_port", "--nproc_per_node"};

/// The flags that say what the model is, which a checkpoint has settled.
constexpr const char* kSizes[] = {
    "--n_layer",     "--n_head",     "--n_embd",    "--block_size",   "--bias",
    "--n_inner",     "--activation", "--position",  "--norm",         "--norm_place",
    "--token_shift", "--tied",       "--tokenizer", "--vocab_size",   "--model",
    "--optimizer",   "--average",    "--patch",     "--word_vectors", "--freeze_vectors"};

/// The flags that do not belong to a run's recipe.
constexpr const char* kNoRecipe[] = {"--text",    "--data",       "--examples", "--init_from",
                                     "--out_dir", "--checkpoint", "--log",      "--log_interval",
                                     "--dry_run", "--overwrite",  "--recipe",   "--profile",
                                     "--minutes", "--yes",        "config"};

/// nanoGPT's sizes: who gives one means its recipe.
constexpr const char* kNanoGptSizes[] = {"--n_layer", "--n_head", "--n_embd", "--block_size",
                                         "--batch_size"};

bool is_one_of(const std::string& name, const auto& names) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

constexpr const char* kExamples =
    "Without --text it trains on the bundled fables, into out-fables/. A text of your own is\n"
    "trained on for --minutes 2: model and tokenizer are chosen for its size and the time, the\n"
    "steps by what one takes here; the plan shows them. Given one of nanoGPT's sizes (--n_layer,\n"
    "--n_head, --n_embd, --block_size, --batch_size) or its config, all else is as in its\n"
    "train_shakespeare_char, and a command line of nanoGPT works as it is; --minutes then chooses\n"
    "the steps alone. min_lr and lr_decay_iters follow learning_rate / 10 and max_iters unless\n"
    "given.\n"
    "\n"
    "With --data a GPT learns to answer prompts: prompts (a mixture of the next three), tweets,\n"
    "french, summaries or a file of lines `prompt TAB answer`.\n"
    "Other models: --data takes english-portuguese or a file of lines `source TAB target`\n"
    "(translator); sentiment, topics or lines `label TAB text` (classifier); fables, sentiment,\n"
    "topics or a text file (bert, for masked words); digits or IMAGES,LABELS in MNIST's IDX\n"
    "format (vit; two files more are held out). "
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

/// For a model that has learnt much already: few steps, and small ones.
TrainOptions continued_recipe() {
  TrainOptions recipe;
  recipe.batch_size = 4;
  recipe.max_iters = 200;
  recipe.schedule = {
      .rate = kPretrainedRate, .floor = kPretrainedRate / 10, .warmup = 20, .decay = 200};
  recipe.adamw = {.beta1 = 0.9, .beta2 = 0.95, .weight_decay = 0.1};
  recipe.grad_clip = 1;
  recipe.eval_interval = 50;
  recipe.eval_iters = 10;
  return recipe;
}

}  // namespace

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
  s.model.dropout = Scalar(0.3);
  s.recipe.batch_size = 16;
  s.recipe.max_iters = 800;
  s.recipe.adamw.weight_decay = 0.5;  // a short text, read eighteen times
  s.recipe.eval_interval = 250;
  s.out_dir = "out-fables";
  return s;
}

Settings settings_for_help(const Settings& given) {
  if (given.kind != ModelKind::kGpt || !given.data.empty()) {
    return task_defaults(given.kind);
  }
  return given.recipe_name == "nanogpt" ? nanogpt_defaults()
         : given.recipe_name == "fast"  ? fast_defaults()
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
  flags.group("Task");
  flags.add("--model", s.kind, "gpt, bert, classifier, translator or vit");
  flags.add("--data", s.data, "examples to learn from: a built-in set or a file; see below",
            "NAME");
  flags.add("--examples", s.examples, "the most examples to train on; 0 for all", 0);
  flags.add("--loss_on_prompt", s.loss_on_prompt, "a GPT learns prompts as well as answers");
  flags.group("Text");
  flags.add("--text", s.texts, "a text file; may be repeated; - is standard input", "FILE");
  flags.add("--tokenizer", s.tokenizer,
            "char (characters), byte, bpe (byte pairs) or word;\nwordpiece for BERT", "KIND");
  flags.add("--vocab_size", s.vocab_size,
            text("tokens of bpe or word at most; 0 for ", kUsualVocabulary), 0);
  flags.group("Model");
  flags.add("--n_layer", s.model.n_layer, "blocks", 1);
  flags.add("--n_head", s.model.n_head, "attention heads of a block", 1);
  flags.add("--n_embd", s.model.n_embd, "channels, a multiple of n_head", 1);
  flags.add("--block_size", s.model.n_positions, "the longest text it looks at, in tokens", 1);
  flags.add("--dropout", s.model.dropout, "probability of dropping, below 1", 0);
  flags.add("--bias", s.model.bias, "biases in linear layers and norms");
  flags.add("--n_inner", s.model.n_inner, "width of the feed-forward network; 0 for 4 n_embd", 0);
  flags.add(
      "--activation", s.model.activation,
      "gelu_new (GPT-2's), relu2 (ReLU squared), relu,\ngelu, silu, glu, reglu, geglu or swiglu");
  flags.add("--position", s.model.position,
            "learned (GPT-2's), rotary, none, integer, binary,\n"
            "sinusoidal, concatenated, relative, t5, alibi or unit\n"
            "(unit: bert, classifier and vit alone)");
  flags.add("--norm", s.model.norm, "layer (GPT-2's) or rms");
  flags.add("--norm_place", s.norm_place, "pre or post, of other models than GPT");
  flags.add("--patch", s.patch, "the side of an image's patches, in pixels (vit)", 1);
  flags.add("--word_vectors", s.word_vectors,
            "embeddings to begin with, in GloVe's format (classifier of words)", "FILE");
  flags.add("--freeze_vectors", s.freeze_vectors, "keep them as they are");
  flags.add("--token_shift", s.model.token_shift, "half of the channels from 1 to 3 tokens before");
  flags.add("--tied", s.model.tied, "the embedding is the output layer too (GPT-2's)");
  flags.group("Recipe");
  flags.add("--minutes", s.minutes,
            "how long to train a new model on a text: chooses the steps,\n"
            "and the model's sizes unless they are given",
            0);
  flags.add(
      "--recipe", s.recipe_name,
      "the defaults for model and recipe: own (sized for the text),\nfast (seconds) or nanogpt",
      "NAME");
  add_recipe_flags(flags, s);
  flags.group("Run");
  flags.add("--out_dir", s.out_dir, "folder for checkpoints, log.jsonl and loss.svg", "DIR");
  flags.add("--init_from", s.init_from, "scratch, resume, or the folder of a GPT to go on from",
            "HOW");
  flags.add("--checkpoint", s.checkpoint, "what to resume: last, best or a folder", "WHICH");
  flags.add("--overwrite", s.overwrite, "begin afresh in a folder that holds a checkpoint");
  add_run_flags(flags, s);
  flags.add_positional("config", s.config,
                       "nanoGPT's config/train_shakespeare_char.py: its recipe, in its out_dir");
  flags.ignore(kSkipped);
  flags.footer(kExamples);
}

void add_recipe_flags(Flags& flags, Settings& s) {
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
  flags.add("--schedule", s.recipe.schedule.kind,
            "cosine, linear, constant or inverse_sqrt, after the warm-up");
  flags.add("--optimizer", s.recipe.optimiser,
            "sgd, momentum, nesterov, rmsprop, adam, adamw or muon");
  flags.add("--momentum", s.recipe.momentum, "of momentum, nesterov and muon", 0);
  flags.add("--weight_decay", s.recipe.adamw.weight_decay, "AdamW's, of matrices", 0);
  flags.add("--beta1", s.recipe.adamw.beta1, "AdamW's", 0);
  flags.add("--beta2", s.recipe.adamw.beta2, "AdamW's", 0);
  flags.add("--average", s.recipe.average,
            "decay of a moving average of the weights, which is what\n"
            "is evaluated and kept; 0 for none",
            0);
  flags.add("--patience", s.recipe.patience,
            "stop after so many evaluations without a better one; 0\nfor not", 0);
  flags.add("--grad_clip", s.recipe.grad_clip, "largest norm of the gradients; 0 for none", 0);
  flags.add("--seed", s.recipe.seed, "of all random choices", 0);
}

void add_run_flags(Flags& flags, Settings& s) {
  flags.add("--eval_interval", s.recipe.eval_interval, "steps between evaluations", 1);
  flags.add("--eval_iters", s.recipe.eval_iters,
            "batches of an evaluation, for each split; the same each time", 1);
  flags.add("--always_save_checkpoint", s.recipe.always_save_checkpoint,
            "keep last besides best at each evaluation");
  flags.add("--log_interval", s.log_interval, "steps between lines of progress and log", 1);
  flags.add("--log", s.log, "a log beside out_dir/log.jsonl, one JSON object a line", "FILE");
  flags.add("--profile", s.profile, "show where the steps' time went, by op, at the end");
  flags.add("--dry_run", s.dry_run, "print the plan and stop");
  flags.add("--yes", s.yes, "begin a long run without a question; or -y");
}

/// Makes sure that these flags are only given for the kind of model that they are for.
void check_belongs(const Flags& flags, ModelKind kind, ModelKind owner,
                   std::initializer_list<const char*> names) {
  for (const char* name : names) {
    check(kind == owner || !flags.given(name), name, ": is for --model=", name_of(owner),
          ", and has no meaning for --model=", name_of(kind));
  }
}

/// min_lr and lr_decay_iters follow from the others unless they are given.
void complete_schedule(const Flags& flags, Settings& settings) {
  if (!flags.given("--lr_decay_iters")) {
    settings.recipe.schedule.decay = settings.recipe.max_iters;
  }
  if (!flags.given("--min_lr")) {
    settings.recipe.schedule.floor = settings.recipe.schedule.rate / 10;
  }
}

/// Which recipe's defaults a new run has: the one that is named, nanoGPT's where it is meant, and
/// else the one for the text.
std::string recipe_for(const Flags& flags, const Settings& settings, bool fables) {
  const bool sized = std::any_of(std::begin(kNanoGptSizes), std::end(kNanoGptSizes),
                                 [&](const char* name) { return flags.given(name); });
  return !settings.recipe_name.empty()    ? settings.recipe_name
         : fables                         ? (settings.minutes > 0 && !sized ? "own" : "fables")
         : sized || flags.given("config") ? "nanogpt"
                                          : "own";
}

void settle_new_run(Flags& flags, Settings& settings, const Arguments& arguments,
                    const std::function<OwnSizes(double minutes)>& sizes) {
  const std::string config = std::filesystem::path(settings.config).stem().string();
  check(config.empty() || config == "train_shakespeare_char", settings.config,
        ": is no config that is known here (only nanoGPT's train_shakespeare_char; put a text's "
        "name after --text, and give other values as flags)");
  const bool goes_on = settings.init_from != "scratch";
  check(!goes_on || std::filesystem::is_directory(settings.init_from),
        "--init_from=", settings.init_from,
        settings.init_from.starts_with("gpt2")
            ? ": no weights are downloaded here (put config.json, model.safetensors and "
              "tokenizer.json of https://huggingface.co/openai-community/gpt2 into a folder, and "
              "give --init_from=FOLDER)"
            : ": is neither scratch nor resume, and no folder with a model");
  check(!goes_on || !settings.texts.empty(), "--init_from=", settings.init_from,
        ": on which text? (give it by --text)");
  const bool fables = settings.texts.empty() && config.empty();
  const std::string named = settings.recipe_name;
  check(named.empty() || named == "own" || named == "fast" || named == "nanogpt",
        "--recipe=", named, ": is not known (use own, fast or nanogpt)");
  check(!goes_on || named != "own", "--recipe=own: chooses a model, and that of ",
        settings.init_from, " is there already (leave the flag out)");
  const std::string recipe =
      goes_on && named.empty() ? "nanogpt" : recipe_for(flags, settings, fables);
  check(!flags.given("--minutes") || settings.minutes > 0, "--minutes must be above 0");
  check(!flags.given("--minutes") || !flags.given("--max_iters"),
        "--minutes: the steps are settled by --max_iters (give one of the two)");
  settings = recipe == "own"
                 ? own_defaults(sizes(settings.minutes > 0 ? settings.minutes : kOwnMinutes))
             : recipe == "fast"    ? fast_defaults()
             : recipe == "nanogpt" ? nanogpt_defaults()
                                   : fable_defaults();
  if (goes_on && named.empty()) {
    settings.recipe = continued_recipe();
  }
  const std::string tokenizer = settings.tokenizer;
  if (fables) {
    settings.out_dir = fable_defaults().out_dir;
  } else if (!config.empty()) {
    settings.out_dir = "out-shakespeare-char";  // where nanoGPT's config puts it
  }
  flags.parse(arguments);
  settings.recipe_name = recipe;
  if (recipe == "own" && flags.given("--vocab_size") && !flags.given("--tokenizer")) {
    settings.tokenizer = "bpe";  // whatever suits the text without it
  }
  const bool own_kind = recipe == "own" && settings.tokenizer == tokenizer;
  if (flags.given("--tokenizer") && !flags.given("--vocab_size") && !own_kind) {
    settings.vocab_size = 0;  // the size is that of the recipe's own tokenizer
  }
  if (recipe == "own" && settings.minutes == 0 && !flags.given("--max_iters")) {
    settings.minutes = kOwnMinutes;
  }
  check_belongs(flags, ModelKind::kGpt, ModelKind::kVision, {"--patch"});
  check_belongs(flags, ModelKind::kGpt, ModelKind::kClassifier,
                {"--word_vectors", "--freeze_vectors"});
  check(settings.tokenizer != "wordpiece",
        "--tokenizer=wordpiece: is for BERT, and drops what a GPT is to write (choose char, byte, "
        "bpe or word)");
  for (const char* name : {"--examples", "--norm_place", "--loss_on_prompt"}) {
    check(!flags.given(name), name, ": has no meaning for a GPT on a text");
  }
  complete_schedule(flags, settings);
}

void settle_new_task(Flags& flags, Settings& settings, const Arguments& arguments) {
  const ModelKind kind = settings.kind;
  check(
      settings.init_from == "scratch", "--init_from=", settings.init_from,
      ": is not known here (use scratch or resume; a trained model learns from examples by gradus "
      "finetune)");
  const auto refuse = [&](std::initializer_list<const char*> names) {
    for (const char* name : names) {
      check(!flags.given(name), name, ": has no meaning for --model=", name_of(kind),
            kind == ModelKind::kGpt ? " with --data" : " (its examples are given by --data)");
    }
  };
  refuse({"--text", "--recipe", "--minutes", "config"});
  if (kind == ModelKind::kGpt) {
    refuse({"--norm_place"});
  } else {
    refuse({"--token_shift", "--tied", "--loss_on_prompt"});
  }
  check_belongs(flags, kind, ModelKind::kVision, {"--patch"});
  check_belongs(flags, kind, ModelKind::kClassifier, {"--word_vectors", "--freeze_vectors"});
  if (kind == ModelKind::kVision) {
    for (const char* name : {"--tokenizer", "--vocab_size", "--block_size"}) {
      check(!flags.given(name), name, ": has no meaning for --model=vit, which reads images");
    }
  }
  check(!flags.given("--freeze_vectors") || flags.given("--word_vectors"),
        "--freeze_vectors: there are none (give them by --word_vectors)");
  settings = task_defaults(kind);
  flags.parse(arguments);
  complete_schedule(flags, settings);
}

void take_model(const Flags& flags, Settings& settings, const GptConfig& model,
                const Tokenizer& tokenizer) {
  std::vector<std::pair<std::string, std::string>> asked;
  for (const std::string& name : flags.given()) {
    if (is_one_of(name, kSizes) && name != "--optimizer" && name != "--average") {
      asked.emplace_back(name, flags.value(name));
    }
  }
  const Scalar dropout = flags.given("--dropout") ? settings.model.dropout : model.dropout;
  settings.model = model;
  settings.model.dropout = dropout;
  settings.tokenizer = tokenizer.name();
  settings.vocab_size = tokenizer.vocab_size();
  for (const auto& [name, value] : asked) {
    check(flags.value(name) == value, name, "=", value, ": the model of ", settings.init_from,
          " has ", flags.value(name), ", and a model's sizes cannot change (leave the flag out)");
  }
}

std::string repeating_command(const Flags& flags, Settings& settings) {
  const Settings now = settings;
  const bool nanogpt = now.recipe_name == "nanogpt";
  const auto values = [&] {
    std::vector<std::pair<std::string, std::string>> all;
    for (const std::string& name : flags.names()) {
      if (name == "--out_dir" || !is_one_of(name, kNoRecipe)) {
        all.emplace_back(name, flags.value(name));
      }
    }
    return all;
  };
  const auto told = values();
  settings = nanogpt ? nanogpt_defaults() : fast_defaults();
  settings.out_dir = now.texts.empty() ? fable_defaults().out_dir : settings.out_dir;
  settings.recipe.schedule.decay = now.recipe.max_iters;
  settings.recipe.schedule.floor = now.recipe.schedule.rate / 10;
  const auto standard = values();
  settings = now;
  std::string command = program_name() + " train";
  for (const std::string& text : now.texts) {
    command += " " + shell_flag("--text", text);
  }
  if (now.init_from != "scratch") {
    command += " " + shell_flag("--init_from", now.init_from);
  }
  command += std::string(" --recipe ") + (nanogpt ? "nanogpt" : "fast");
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (told[i].second != standard[i].second) {
      command += " " + shell_flag(told[i].first, told[i].second);
    }
  }
  return command;
}

std::vector<std::string> settle_resumed_run(Flags& flags, Settings& settings,
                                            const Arguments& arguments, const Settings& checkpoint,
                                            std::int64_t done) {
  check(!flags.given("--minutes"),
        "--minutes: sizes a new run (one that goes on is told its steps in all by --max_iters)");
  settings = checkpoint;
  std::vector<std::pair<std::string, std::string>> kept;
  for (const std::string& name : flags.given()) {
    if (!is_one_of(name, kNoRecipe)) {
      kept.emplace_back(name, flags.value(name));
    }
  }
  flags.parse(arguments);
  check(!flags.given("--max_iters") || settings.recipe.max_iters >= done,
        "--max_iters=", settings.recipe.max_iters, ": ", done,
        " steps are done already (give more, or leave it out to go on as planned)");
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
