#include "cli/run/settle.h"

#include <filesystem>
#include <utility>

#include "autograd/check.h"
#include "cli/tasks/kinds.h"
#include "cli/tasks/recipes.h"
#include "nn/names.h"

namespace gradus {
using namespace detail;
std::vector<Change> settle(Flags& flags, Settings& settings, const Settings& before) {
  settings = before;
  std::vector<Change> changes;
  for (const std::string& name : flags.given()) {
    if (flags.traits(name).in_recipe) changes.push_back({name, flags.value(name), ""});
  }
  flags.assign_given();
  for (Change& change : changes) change.now = flags.value(change.name);
  std::erase_if(changes, [](const Change& change) { return change.before == change.now; });
  return changes;
}

void complete_schedule(const Flags& flags, Settings& settings) {
  if (!flags.given("--lr_decay_iters")) {
    settings.recipe.schedule.decay = settings.recipe.max_iters;
  }
  if (!flags.given("--min_lr")) {
    settings.recipe.schedule.floor = following_floor(settings.recipe);
  }
}

double following_floor(const TrainOptions& recipe) {
  return recipe.schedule.rate / (recipe.average > 0 ? 100 : 10);  // averages have less noise
}

void check_meaning(const Flags& flags, const Settings& settings) {
  const unsigned run = kind_of_run(settings);
  const std::string model = text("--model=", name_of(settings.kind));
  for (const std::string& name : flags.given()) {
    const unsigned of = flags.traits(name).of;
    if ((of & run) != 0) continue;
    const ModelKind owner = only_kind(of).value_or(ModelKind::kGpt);
    check(owner == ModelKind::kGpt, name, ": only for --model=", name_of(owner), ", got ", model,
          " (leave it out)");
    fail(name, ": has no effect on ",
         run == kOnText                         ? "a GPT trained on a text"
         : settings.has_prompts                 ? model + " with --data"
         : of == kOnText                        ? model + ", whose examples come from --data"
         : !task_kind(settings.kind).has_tokens ? model + ", which reads no tokens"
                                                : model,
         " (leave it out)");
  }
}

std::string config_of(const Settings& settings) {
  const std::string config = std::filesystem::path(settings.config).stem().string();
  const std::string run = program_name();
  check(!config.starts_with("eval_gpt2"), settings.config,
        ": gradus downloads no weights (evaluate a GPT-2 in a folder with '", run,
        " eval --checkpoint=FOLDER --text FILE')");
  check(!config.starts_with("finetune_"), settings.config,
        ": gradus downloads neither weights nor text (train a GPT-2 in a folder with '", run,
        " train --init_from=FOLDER --text FILE --out_dir=DIR')");
  check(
      config.empty() || config == "train_shakespeare_char", settings.config,
      ": must be nanoGPT's train_shakespeare_char; gradus reads no other config (pass a text with "
      "--text, and other values as flags)");
  return config;
}

void check_ignored(const Flags& flags, const Settings& settings) {
  const std::string only = flags.ignored("--eval_only").value_or("False");
  const bool is_folder = settings.init_from != "scratch" && settings.init_from != "resume";
  check(is_false(only), "--eval_only=", only.empty() ? "True" : only,
        ": train cannot evaluate without training (use '", program_name(), " eval ",
        is_folder                  ? shell_flag("--checkpoint", settings.init_from) + " --text FILE"
        : flags.given("--out_dir") ? shell_flag("--out_dir", settings.out_dir)
                                   : "--text FILE",
        "')");
  const auto dataset = flags.ignored("--dataset");
  check(!dataset || !settings.texts.empty() || !settings.data.empty() ||
            settings.init_from == "resume",
        "--dataset=", dataset.value_or(""),
        ": gradus downloads no data (pass the text with --text FILE)");
}

void check_is_folder(const std::string& init_from, const std::vector<std::string>& others) {
  const std::string hint = did_you_mean(init_from, others);
  std::string known;
  for (const std::string& other : others) known += other + ", ";
  known = known.substr(0, known.size() - 2) + " or a folder with a model";
  check(std::filesystem::is_directory(init_from), "--init_from=", init_from,
        init_from.starts_with("gpt2")
            ? ": gradus downloads no weights (put config.json, model.safetensors and "
              "tokenizer.json of https://huggingface.co/openai-community/gpt2 into a folder, and "
              "pass --init_from=FOLDER)"
            : ": must be " + known + (hint.empty() ? "" : " (" + hint + ")"));
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
  settings.out_dir = reads_tales(now) ? tales_defaults().out_dir : settings.out_dir;
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

}  // namespace gradus
