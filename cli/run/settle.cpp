#include "cli/run/settle.h"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <iterator>
#include <map>
#include <utility>

#include "autograd/check.h"
#include "cli/cluster/cluster.h"
#include "cli/tasks/kinds.h"
#include "cli/tasks/recipes.h"
#include "nn/names.h"

namespace gradus {
using namespace detail;
namespace {

bool has_optimiser(const Settings& s, std::initializer_list<OptimiserKind> kinds) {
  return std::ranges::find(kinds, s.recipe.optimiser) != kinds.end();
}
bool lacks_momentum(const Settings& s) {
  using enum OptimiserKind;
  return !has_optimiser(s, {kMomentum, kNesterov, kMuon});
}
bool lacks_adam(const Settings& s) {
  using enum OptimiserKind;
  return !has_optimiser(s, {kAdam, kAdamw, kMuon});
}
bool keeps_rate(const Settings& s) { return !s.recipe.decay_lr; }
bool has_no_floor(const Settings& s) { return s.recipe.schedule.kind == ScheduleKind::kConstant; }
bool has_no_end(const Settings& s) {
  return has_no_floor(s) || s.recipe.schedule.kind == ScheduleKind::kInverseSquareRoot;
}
bool resumes(const Settings& s) { return s.init_from == "resume"; }
bool has_preferences(const Settings& s) { return beta_of(s) > 0; }
bool is_alone(const Settings&) { return ranks().size() == 1; }

/// A flag that has no effect with some settings.
struct NoEffect {
  const char* flag;
  bool (*is_so)(const Settings& settings);
  /// Another flag, whose value is the cause; or the words after "has no effect".
  const char* cause;
  /// Empty if the flag is only named, not refused: nanoGPT's configs contain it whatever the others
  /// are.
  const char* remedy = "leave it out";
};
constexpr NoEffect kNoEffects[] = {
    {"--overwrite", resumes, "--init_from"},
    {"--loss_on_prompt", has_preferences, "on preferences"},
    {"--momentum", lacks_momentum, "--optimizer"},
    {"--weight_decay", lacks_adam, "--optimizer"},
    {"--beta1", lacks_adam, "--optimizer"},
    {"--beta2", lacks_adam, "--optimizer"},
    {"--local_steps", is_alone, "with one process",
     "start several with './run cluster N train', or leave it out"},
    {"--schedule", keeps_rate, "--decay_lr"},
    {"--min_lr", keeps_rate, "--decay_lr", ""},
    {"--warmup_iters", keeps_rate, "--decay_lr", ""},
    {"--lr_decay_iters", keeps_rate, "--decay_lr", ""},
    {"--min_lr", has_no_floor, "--schedule", ""},
    {"--lr_decay_iters", has_no_end, "--schedule", ""},
};

/// The reason why a flag has no effect with these settings; nullptr if it has one.
const NoEffect* no_effect_of(const std::string& flag, const Settings& settings) {
  const auto found = std::ranges::find_if(
      kNoEffects, [&](const NoEffect& row) { return flag == row.flag && row.is_so(settings); });
  return found == std::end(kNoEffects) ? nullptr : found;
}

}  // namespace

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

void check_effects(const Flags& flags, const Settings& settings) {
  std::map<std::string, std::string> named;  // by cause
  for (const std::string& name : flags.given()) {
    const NoEffect* found = no_effect_of(name, settings);
    if (found == nullptr) continue;
    std::string cause = found->cause;
    if (cause.starts_with("--")) cause = "with " + cause + "=" + flags.value(cause);
    check(std::string(found->remedy).empty(), name, ": has no effect ", cause, " (", found->remedy,
          ")");
    std::string& names = named[cause];
    names += (names.empty() ? "" : ", ") + name;
  }
  for (const auto& [cause, names] : named) note(names + ": without effect " + cause);
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
    const bool has_effect = no_effect_of(told[i].first, now) == nullptr;
    if (is_asked || (has_effect && told[i].second != standard[i].second)) {
      command += " " + shell_flag(told[i].first, told[i].second);
    }
  }
  return command;
}

}  // namespace gradus
