/// @file
/// Command lines of all commands. An input has one argument a line; the first names the command. A
/// command is called in an empty folder, and its text does not exist, so it ends after it has read
/// and checked its flags. For `train` and `finetune`, which would then look for data, the flags are
/// settled here instead.
#include "cli/program/command.h"
#include "cli/run/settle.h"
#include "cli/run/train_flags.h"
#include "cli/tasks/kinds.h"
#include "cli/tasks/recipes.h"
#include "tests/fuzz/fuzz.h"

namespace gradus {
namespace {

struct Command {
  const char* name;
  int (*run)(const Arguments&);
};
constexpr Command kCommands[] = {{"sample", sample_command},     {"eval", eval_command},
                                 {"predict", predict_command},   {"info", info_command},
                                 {"tokenize", tokenize_command}, {"attention", attention_command},
                                 {"vectors", vectors_command},   {"finetune", finetune_command}};

void try_train(const Arguments& arguments) {
  Settings settings;
  Flags flags("train", "Trains.");
  add_train_flags(flags, settings);
  if (!flags.parse(arguments)) return;
  check_ignored(flags, settings);
  config_of(settings);
  const bool on_text = kind_of_run(settings) == kOnText;
  settle(flags, settings, on_text ? tales_defaults() : defaults_of(settings.kind));
  check_meaning(flags, settings);
  check_effects(flags, settings);
  complete_schedule(flags, settings);
  settings.recipe.validate();
  for (const std::string& name : flags.given()) {
    if (!name.starts_with("--") || flags.given_values(name).size() > 1) continue;
    const std::string value = flags.value(name);
    flags.give(name, {value});
    holds(flags.value(name) == value, "a flag's value is read as it was shown");
  }
}

}  // namespace

bool is_command(const std::string& name) {
  return std::ranges::find(kCommands, name, &Command::name) != std::end(kCommands);
}

void fuzz(std::string_view input) {
  static const FuzzFolder folder("empty");
  static const bool is_ready =
      chdir(folder.path().c_str()) == 0 && std::freopen("/dev/null", "r", stdin) != nullptr;
  holds(is_ready, "the folder can be entered");
  Arguments arguments;
  while (!input.empty()) {
    const std::size_t end = std::min(input.find('\n'), input.size());
    const std::string_view argument = input.substr(0, end);
    input.remove_prefix(std::min(end + 1, input.size()));
    // A program's arguments hold no zero; and what exists outside of the folder stays outside.
    if (argument.find('\0') == argument.npos && argument.find('/') == argument.npos) {
      arguments.emplace_back(argument);
    }
  }
  if (arguments.empty()) return;
  const std::string name = arguments.front();
  arguments.erase(arguments.begin());
  if (name == "train") {
    accepts([&] { try_train(arguments); });
    return;
  }
  const auto command = std::ranges::find(kCommands, name, &Command::name);
  if (command == std::end(kCommands)) return;
  if (name == "tokenize" || name == "vectors") arguments.emplace_back("--text=missing");
  accepts([&] { command->run(arguments); });
}

}  // namespace gradus
