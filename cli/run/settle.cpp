#include "cli/run/settle.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "autograd/check.h"
#include "cli/run/run_record.h"
#include "nn/names.h"

namespace gradus {
using namespace detail;
namespace {

bool is_one_of(const std::string& name, const auto& names) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
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

/// Which recipe's defaults a new run has: the one that is named, nanoGPT's where it is meant, and
/// else the one for the text.
std::string recipe_for(const Flags& flags, const Settings& settings, bool fables) {
  const bool sized = std::ranges::any_of(
      flags.given(), [&](const std::string& name) { return flags.traits(name).is_nanogpt_size; });
  return !settings.recipe_name.empty()    ? settings.recipe_name
         : fables                         ? (settings.minutes > 0 && !sized ? "own" : "fables")
         : sized || flags.given("config") ? "nanogpt"
                                          : "own";
}

/// The same as did_you_mean(), with a blank where more follows.
std::string hint_of(const std::string& word, const std::vector<std::string>& names) {
  const std::string hint = did_you_mean(word, names);
  return hint + (hint.empty() ? "" : " ");
}

bool is_false(const std::string& value) {
  constexpr const char* kFalse[] = {"False", "false", "0", "no", "off"};
  return is_one_of(value, kFalse);
}

}  // namespace

void check_meaning(const Flags& flags, const Settings& settings) {
  const unsigned run = kind_of_run(settings);
  const std::string model = text("--model=", name_of(settings.kind));
  for (const std::string& name : flags.given()) {
    const unsigned of = flags.traits(name).of;
    for (const ModelKind owner : {ModelKind::kClassifier, ModelKind::kVision}) {
      check(run == of || of != on_examples(owner), name, ": is for --model=", name_of(owner),
            ", and has no meaning for ", model);
    }
    check((of & run) != 0, name, ": has no meaning for ",
          run == kOnText         ? "a GPT on a text"
          : settings.has_prompts ? model + " with --data"
          : of == kOnText        ? model + " (its examples are given by --data)"
                                 : model);
  }
}

std::string config_of(const Settings& settings) {
  const std::string config = std::filesystem::path(settings.config).stem().string();
  const std::string run = program_name();
  check(!config.starts_with("eval_gpt2"), settings.config, ": no weights are downloaded here ('",
        run, " eval --checkpoint=FOLDER --text FILE' measures a GPT-2 that lies in a folder)");
  check(!config.starts_with("finetune_"), settings.config,
        ": neither weights nor text are downloaded here ('", run,
        " train --init_from=FOLDER --text FILE --out_dir=DIR' goes on with a GPT-2 that lies in a "
        "folder)");
  check(config.empty() || config == "train_shakespeare_char", settings.config,
        ": is no config that is known here (only nanoGPT's train_shakespeare_char; put a text's "
        "name after --text, and give other values as flags)");
  return config;
}

void check_ignored(const Flags& flags, const Settings& settings) {
  const std::string only = flags.ignored("--eval_only").value_or("False");
  const bool is_folder = settings.init_from != "scratch" && settings.init_from != "resume";
  check(is_false(only), "--eval_only=", only.empty() ? "True" : only,
        ": is a command of its own here ('", program_name(), " eval ",
        is_folder                  ? shell_flag("--checkpoint", settings.init_from) + " --text FILE"
        : flags.given("--out_dir") ? shell_flag("--out_dir", settings.out_dir)
                                   : "--text FILE",
        "' measures a model and changes nothing)");
  const auto dataset = flags.ignored("--dataset");
  check(!dataset || !settings.texts.empty() || !settings.data.empty() ||
            settings.init_from == "resume",
        "--dataset=", dataset.value_or(""),
        ": no data is downloaded here (give its text by --text FILE)");
}

void check_is_folder(const std::string& init_from, const std::vector<std::string>& others) {
  const std::string hint = did_you_mean(init_from, others);
  std::string known;
  for (const std::string& other : others) known += (known.empty() ? "neither " : " nor ") + other;
  if (others.size() == 1) known = "not " + others[0];
  check(std::filesystem::is_directory(init_from), "--init_from=", init_from,
        init_from.starts_with("gpt2")
            ? ": no weights are downloaded here (put config.json, model.safetensors and "
              "tokenizer.json of https://huggingface.co/openai-community/gpt2 into a folder, and "
              "give --init_from=FOLDER)"
            : ": is " + known + ", and no folder with a model" +
                  (hint.empty() ? "" : " (" + hint + ")"));
}

void settle_new_run(Flags& flags, Settings& settings, const Arguments& arguments,
                    const std::function<OwnSizes(double minutes)>& sizes) {
  const std::string config = config_of(settings);
  const bool goes_on = settings.init_from != "scratch";
  if (goes_on) check_is_folder(settings.init_from, {"scratch", "resume"});
  check(!goes_on || !settings.texts.empty(), "--init_from=", settings.init_from,
        ": on which text? (give it by --text)");
  const bool fables = settings.texts.empty() && config.empty();
  const std::string named = settings.recipe_name;
  check(
      named.empty() || named == "own" || named == "fast" || named == "strong" || named == "nanogpt",
      "--recipe=", named, ": is not known (", hint_of(named, {"own", "fast", "strong", "nanogpt"}),
      "use own, fast, strong or nanogpt)");
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
             : recipe == "strong"  ? strong_defaults()
             : recipe == "nanogpt" ? nanogpt_defaults()
                                   : fable_defaults();
  if (goes_on && named.empty()) {
    settings.recipe = continued_recipe();
  }
  const std::string tokenizer = settings.tokenizer;
  if (fables) {
    settings.out_dir = fable_defaults().out_dir;
  } else if (!config.empty()) {
    settings.out_dir = kConfigOutDir;
  }
  flags.parse(arguments);
  settings.recipe_name = recipe;
  check(goes_on || !flags.given("--checkpoint"), "--checkpoint=", settings.checkpoint,
        ": chooses what goes on, and this run begins afresh (add --init_from=resume, or leave it "
        "out)");
  if (settings.texts.empty() && !config.empty()) {
    note(settings.config +
         ": comes without its text; this is trained on the bundled fables (give "
         "its text by --text FILE)");
  }
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
  check_meaning(flags, settings);
  check(settings.tokenizer != "wordpiece",
        "--tokenizer=wordpiece: is for BERT, and drops what a GPT is to write (choose char, byte, "
        "bpe or word)");
  complete_schedule(flags, settings);
}

void settle_new_task(Flags& flags, Settings& settings, const Arguments& arguments) {
  const ModelKind kind = settings.kind;
  check(settings.init_from == "scratch", "--init_from=", settings.init_from,
        ": is not known here (", hint_of(settings.init_from, {"scratch", "resume"}),
        "use scratch or resume; a trained model learns from examples by gradus "
        "finetune)");
  settings = task_defaults(kind);
  check_meaning(flags, settings);
  check(!flags.given("--freeze_vectors") || flags.given("--word_vectors"),
        "--freeze_vectors: there are none (give them by --word_vectors)");
  flags.parse(arguments);
  complete_schedule(flags, settings);
}

void take_model(const Flags& flags, Settings& settings, const GptConfig& model,
                const Tokenizer& tokenizer) {
  std::vector<std::pair<std::string, std::string>> asked;
  for (const std::string& name : flags.given()) {
    if (flags.traits(name).by_model) {
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
      if (name == "--out_dir" || flags.traits(name).in_recipe) {
        all.emplace_back(name, flags.value(name));
      }
    }
    return all;
  };
  const auto told = values();
  settings = nanogpt ? nanogpt_defaults() : fast_defaults();
  settings.out_dir = now.texts.empty() ? fable_defaults().out_dir : settings.out_dir;
  settings.recipe.schedule.decay = now.recipe.max_iters;
  settings.recipe.schedule.floor = following_floor(now.recipe);
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
    // Without the flag, the sizes decide: see TrainOptions::can_evaluate_whole().
    const bool is_asked = told[i].first == "--eval_iters" && flags.given("--eval_iters");
    if (is_asked || told[i].second != standard[i].second) {
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
  check(!flags.given("--recipe"),
        "--recipe: chooses for a new run (one that goes on keeps its recipe, which other flags "
        "change)");
  settings = checkpoint;
  check_meaning(flags, settings);
  std::vector<std::pair<std::string, std::string>> kept;
  for (const std::string& name : flags.given()) {
    if (flags.traits(name).in_recipe) {
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
    const Traits& traits = flags.traits(name);
    check(!traits.by_model && !traits.by_run, name, "=", now, ": the checkpoint has ", before,
          ", and a model's sizes cannot change (leave the flag out, or begin afresh)");
    changes.push_back(name.substr(2) + " " + before + " -> " + now);
  }
  return changes;
}

}  // namespace gradus
