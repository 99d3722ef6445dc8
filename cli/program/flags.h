/// @file
/// Flags in nanoGPT's style, parsed with CLI11: `--name=value` and `--name value`, Python's True
/// and False, hyphens for underscores. Errors name the flag and the remedy.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "autograd/check.h"
#include "cli/program/command.h"
#include "nn/names.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace gradus {

/// "did you mean NAME?" with the one of `names` that is nearest to a mistyped `word`, in small or
/// capital letters; empty if none is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& names);

/// Whether a switch with this value is off: False, false, 0, no, off.
bool is_false(const std::string& value);
/// did_you_mean() followed by a blank, for messages that continue; empty if there is no hint.
std::string hint_of(const std::string& word, const std::vector<std::string>& names);

/// The kind of thing that a flag's value names.
enum class Names {
  kNothing,   ///< a number, a word, a folder that a command looks for itself
  kFiles,     ///< files that are read
  kExamples,  ///< a built-in set, or files with commas between
  kOutput,    ///< a file or folder that is written
};

/// The properties of a flag beside its name, variable and help. Commands ask for them instead of
/// keeping lists of names.
struct Traits {
  unsigned of = ~0U;             ///< the uses of the command in which it has a meaning, as bits:
                                 ///< check_meaning() (cli/run/settle.h) refuses it in all others
  bool in_recipe = true;         ///< whether a run must have the same value to be the same run
  bool by_model = false;         ///< whether an existing model fixes the value
  bool by_run = false;           ///< whether a resumed run fixes it, but its model does not
  bool recorded = false;         ///< whether a run's record keeps it for a resumed run, as neither
                                 ///< model nor recipe does: see cli/run/record.h
  bool is_nanogpt_size = false;  ///< whether giving the flag selects nanoGPT's recipe
  Names names = Names::kNothing;
};

/// The flags of one command, each bound to a variable that keeps its value unless the flag is
/// given.
class Flags {
 public:
  Flags(const std::string& command, const std::string& purpose);
  ~Flags();
  Flags(const Flags&) = delete;
  Flags& operator=(const Flags&) = delete;

  /// Sets the heading in --help for the flags that are added next.
  void group(const std::string& title) { group_ = title; }
  /// Sets the flags that --help shows, in this order, with `about` below them; --help-all shows all
  /// flags. Without this call, --help shows all flags too.
  void show_first(const std::vector<std::string>& names, const std::string& about);
  /// Sets a function to call before help is printed, after the flags beside --help have been read
  /// into the variables. Help shows the values that the variables then have as defaults.
  void before_help(const std::function<void()>& prepare) { before_help_ = prepare; }

  /// A number of at least `least`. If the variable's first value is smaller, --help shows no
  /// default.
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void add(const std::string& name, Number& value, const std::string& help,
           double least = std::numeric_limits<double>::lowest(), const Traits& traits = {}) {
    const auto assign = [&value, name, least](const std::string& text) {
      if constexpr (std::is_integral_v<Number>) {
        constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<Number>::max());
        value = static_cast<Number>(whole_number(name, text, least, kMost));
      } else {
        value = static_cast<Number>(real_number(name, text, least));
      }
    };
    add_valued(name, std::is_integral_v<Number> ? "N" : "X", help, assign, shower(value), traits);
    flags_.back().has_standard = static_cast<double>(value) >= least;
  }
  /// One of an enum's names: see nn/names.h.
  template <class Enum>
  requires std::is_enum_v<Enum>
  void add(const std::string& name, Enum& value, const std::string& help,
           const Traits& traits = {}) {
    const auto names = names_of(value);
    const std::vector<std::string> choices(names.begin(), names.end());
    const auto assign = [&value, name, choices](const std::string& text) {
      const std::string hint = did_you_mean(text, choices);
      detail::check(find_named(text, value), name, ": must be ", all_names(value), ", got '", text,
                    "'", hint.empty() ? "" : " (" + hint + ")");
    };
    add_valued(
        name, "KIND", help, assign, [&value] { return std::string(name_of(value)); }, traits);
    flags_.back().choices = choices;
  }
  /// A text; `placeholder` stands for it in --help. Completion offers the `choices`.
  void add(const std::string& name, std::string& value, const std::string& help,
           const std::string& placeholder, const Traits& traits = {},
           const std::vector<std::string>& choices = {});
  /// A flag that may be given several times.
  void add(const std::string& name, std::vector<std::string>& values, const std::string& help,
           const std::string& placeholder, const Traits& traits = {});
  /// A switch: `--name`, `--name=True`, `--name False`.
  void add(const std::string& name, bool& value, const std::string& help,
           const Traits& traits = {});
  /// The one argument that is no flag.
  void add_positional(const std::string& name, std::string& value, const std::string& help,
                      const Traits& traits = {});
  /// A flag that is accepted with any value and ignored, so that other programs' command lines
  /// work. parse() prints a note about it once, which ends with `instead` if that is not empty.
  struct Ignored {
    std::string name;
    std::string instead = {};
  };
  void ignore(const std::vector<Ignored>& flags) { ignorable_ = flags; }
  /// Reads a flag's `value` as `other`: for values that other programs have and this one does not.
  /// parse() prints a note about it once.
  void read_as(const std::string& name, const std::string& value, const std::string& other) {
    read_as_.push_back({name, value, other});
  }

  /// Sets the text that --help prints after the flags.
  void footer(const std::string& text) { footer_ = text; }

  /// Reads the arguments into the variables, and keeps them for assign_given(). If they ask for
  /// help, prints it and returns false; --flag-names prints the flags' names alone, for a shell's
  /// completion, and returns false too.
  /// @throws std::invalid_argument naming the wrong flag and the remedy.
  bool parse(const Arguments& arguments);

  /// Sets the variables of the given flags again, after other code has written defaults to them.
  void assign_given();
  /// Gives a flag these values, as if they had been on the command line.
  void give(const std::string& name, const std::vector<std::string>& values);

  /// Whether this flag was given.
  bool given(const std::string& name) const;
  /// The flags that were given, without the ignored ones.
  std::vector<std::string> given() const;
  /// The values that a flag was given, in order; empty if it was not given.
  const std::vector<std::string>& given_values(const std::string& name) const;
  /// The names of all flags, and of the argument that is no flag.
  std::vector<std::string> names() const;
  const Traits& traits(const std::string& name) const;  ///< traits of the flag with this name
  /// The value of a flag that the last parse() has ignored; none if the flag was not given.
  std::optional<std::string> ignored(const std::string& name) const;
  /// The present value of a flag's variable, as text that is read as the same value.
  std::string value(const std::string& name) const;

 private:
  struct Flag {
    std::string name;
    bool is_switch;
    std::function<void(const std::vector<std::string>&)> assign;
    std::function<std::string()> show;
    std::string group, placeholder, help;
    Traits traits;
    CLI::Option* option = nullptr;
    std::vector<std::string> values = {};   // as given
    std::vector<std::string> choices = {};  // for completion
    bool has_standard = true;               // whether its first value may be given
  };

  template <class Value>
  static std::function<std::string()> shower(const Value& value) {
    return [&value] {
      std::ostringstream out;
      out << value;
      if constexpr (std::is_floating_point_v<Value>) {
        if (static_cast<Value>(std::stod(out.str())) != value) {
          out.str("");
          out.precision(std::numeric_limits<Value>::max_digits10);
          out << value;
        }
      }
      return out.str();
    };
  }
  static std::int64_t whole_number(const std::string& name, const std::string& text, double least,
                                   std::uint64_t most);
  static double real_number(const std::string& name, const std::string& text, double least);
  void add_flag(Flag flag);
  void add_valued(const std::string& name, const std::string& placeholder, const std::string& help,
                  const std::function<void(const std::string&)>& assign,
                  const std::function<std::string()>& show, const Traits& traits);
  const Flag* find(const std::string& name) const;
  void print_help(const Arguments& arguments, bool all);
  std::string help(bool all) const;
  std::string flag_names() const;
  Arguments normalised(const Arguments& arguments);
  void say_once(const std::string& what);
  void say_ignored();
  [[noreturn]] void fail_unknown(const std::string& argument) const;

  std::string command_, purpose_, footer_, about_first_;
  std::string group_ = "Flags";
  std::vector<std::string> first_;
  std::function<void()> before_help_;
  std::unique_ptr<CLI::App> app_;
  std::vector<Flag> flags_;
  struct ReadAs {
    std::string name, value, other;
  };
  std::vector<Ignored> ignorable_;
  std::vector<ReadAs> read_as_;
  std::vector<std::pair<std::string, std::string>> ignored_;  // with their values
  std::vector<std::string> said_;
};

/// Adds the switch --json, which prints `what`.
inline void add_json_flag(Flags& flags, bool& json, const std::string& what = "one JSON object") {
  flags.add("--json", json, "print " + what);
}

/// nanoGPT's flags that have no effect where a model is used and not trained.
inline const std::vector<Flags::Ignored> kIgnoredInUse = {{"--device"}, {"--compile"}};

}  // namespace gradus
