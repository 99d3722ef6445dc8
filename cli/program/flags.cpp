#include "cli/program/flags.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>

#include "autograd/check.h"
#include "cli/program/help_text.h"

namespace gradus {
using namespace detail;
namespace {

constexpr const char* kTruths[] = {"True", "true", "1", "yes", "on"};
constexpr const char* kFalsehoods[] = {"False", "false", "0", "no", "off"};
constexpr const char* kHelp[] = {"--help", "-h", "--help-all", "--help_all"};

bool is_in(const std::string& word, const auto& words) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool is_flag(const std::string& argument) {
  return argument.size() > 2 && argument.starts_with("--");
}

/// How many letters must be inserted, deleted or replaced to turn one word into the other
/// (Levenshtein, 1966).
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

bool is_false(const std::string& value) { return is_in(value, kFalsehoods); }

std::string did_you_mean(const std::string& word, const std::vector<std::string>& names) {
  std::string small = word;
  std::ranges::transform(small, small.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto distance = [&](const std::string& name) { return edit_distance(small, name); };
  const auto best = std::ranges::min_element(names, {}, distance);
  const std::size_t letters = word.size() - std::min(word.size(), word.find_first_not_of('-'));
  return best != names.end() && distance(*best) <= (letters + 1) / 3 ? "did you mean " + *best + "?"
                                                                     : "";
}

std::string hint_of(const std::string& word, const std::vector<std::string>& names) {
  const std::string hint = did_you_mean(word, names);
  return hint + (hint.empty() ? "" : " ");
}

Flags::Flags(const std::string& command, const std::string& purpose)
    : command_(command), purpose_(purpose), app_(std::make_unique<CLI::App>()) {
  app_->set_help_flag();  // parse() looks for it
  app_->allow_extras();
}

Flags::~Flags() = default;

std::int64_t Flags::whole_number(const std::string& name, const std::string& text, double least,
                                 std::uint64_t most) {
  std::size_t used = 0;
  std::int64_t number = 0;
  try {
    number = std::stoll(text, &used);
  } catch (const std::out_of_range&) {
    fail(name, ": ", text, " is too large (choose a smaller number)");
  } catch (const std::invalid_argument&) {
  }
  check(used == text.size() && used > 0, name, ": needs a whole number, got '", text, "'");
  check(static_cast<double>(number) >= least, name, " must be at least ", least, ", got ", number);
  check(number < 0 || static_cast<std::uint64_t>(number) <= most, name, " must be at most ", most,
        ", got ", number);
  return number;
}

double Flags::real_number(const std::string& name, const std::string& text, double least) {
  std::size_t used = 0;
  double number = 0;
  try {
    number = std::stod(text, &used);
  } catch (const std::logic_error&) {  // no number, or one beyond double's range
  }
  check(used == text.size() && used > 0 && std::isfinite(number), name, ": needs a number, got '",
        text, "'");
  check(number >= least, name, " must be at least ", least, ", got ", text);
  return number;
}

void Flags::add_flag(Flag flag) {
  const auto collects = [](const std::vector<std::string>&) {};  // parse() assigns
  flag.option = app_->add_option_function<std::vector<std::string>>(flag.name, collects);
  flag.option->allow_extra_args(false);
  flags_.push_back(std::move(flag));
}

void Flags::add_valued(const std::string& name, const std::string& placeholder,
                       const std::string& help,
                       const std::function<void(const std::string&)>& assign,
                       const std::function<std::string()>& show, const Traits& traits) {
  const auto last = [assign](const std::vector<std::string>& texts) { assign(texts.back()); };
  add_flag({name, false, last, show, group_, placeholder, help, traits});
}

void Flags::add(const std::string& name, std::string& value, const std::string& help,
                const std::string& placeholder, const Traits& traits,
                const std::vector<std::string>& choices) {
  add_valued(
      name, placeholder, help, [&value](const std::string& text) { value = text; }, shower(value),
      traits);
  flags_.back().choices = choices;
}

void Flags::add(const std::string& name, std::vector<std::string>& values, const std::string& help,
                const std::string& placeholder, const Traits& traits) {
  const auto assign = [&values](const std::vector<std::string>& texts) { values = texts; };
  add_flag({name, false, assign, [] { return std::string(); }, group_, placeholder, help, traits});
}

void Flags::add(const std::string& name, bool& value, const std::string& help,
                const Traits& traits) {
  const auto assign = [&value, name](const std::vector<std::string>& texts) {
    value = is_in(texts.back(), kTruths);
    check(value || is_false(texts.back()), name, ": needs True or False, got '", texts.back(), "'");
  };
  const auto show = [&value] { return std::string(value ? "True" : "False"); };
  add_flag({name, true, assign, show, group_, "", help, traits});
}

void Flags::add_positional(const std::string& name, std::string& value, const std::string& help,
                           const Traits& traits) {
  add_valued(
      name, "", help, [&value](const std::string& text) { value = text; }, shower(value), traits);
}

std::optional<std::string> Flags::ignored(const std::string& name) const {
  const auto flag = std::ranges::find(ignored_, name, &std::pair<std::string, std::string>::first);
  return flag == ignored_.end() ? std::nullopt : std::optional(flag->second);
}

/// Prints a note only once, although commands parse more than once.
void Flags::say_once(const std::string& what) {
  if (!is_in(what, said_)) {
    said_.push_back(what);
    note(what);
  }
}

void Flags::say_ignored() {
  std::string names;
  for (const auto& [name, value] : ignored_) {
    const std::string& instead = std::ranges::find(ignorable_, name, &Ignored::name)->instead;
    if (instead.empty()) {
      names += (names.empty() ? "" : ", ") + name;
    } else {
      say_once(name + (value.empty() ? "" : "=" + value) + ": " + instead);
    }
  }
  if (!names.empty()) say_once(names + ": ignored, without effect in gradus");
}

void Flags::show_first(const std::vector<std::string>& names, const std::string& about) {
  first_ = names;
  about_first_ = about;
}

const Flags::Flag* Flags::find(const std::string& name) const {
  const auto flag = std::ranges::find(flags_, name, &Flag::name);
  return flag == flags_.end() ? nullptr : &*flag;
}

bool Flags::given(const std::string& name) const {
  const Flag* flag = find(name);
  return flag != nullptr && !flag->values.empty();
}

const std::vector<std::string>& Flags::given_values(const std::string& name) const {
  return find(name)->values;
}

std::vector<std::string> Flags::given() const {
  std::vector<std::string> names;
  for (const Flag& flag : flags_) {
    if (!flag.values.empty()) {
      names.push_back(flag.name);
    }
  }
  return names;
}

std::vector<std::string> Flags::names() const {
  std::vector<std::string> names;
  for (const Flag& flag : flags_) {
    names.push_back(flag.name);
  }
  return names;
}

const Traits& Flags::traits(const std::string& name) const { return find(name)->traits; }

std::string Flags::value(const std::string& name) const { return find(name)->show(); }

void Flags::fail_unknown(const std::string& argument) const {
  const std::string hint = did_you_mean(argument, names());
  const std::string help = "'" + program_name() + " " + command_ + " --help' lists the flags";
  fail(argument, argument.starts_with('-') ? ": is not a flag of " : ": is not an argument of ",
       command_, " (", hint.empty() ? help : hint + " " + help, ")");
}

/// Writes every flag as `--name=value`, which CLI11 reads correctly whatever the value begins with.
/// Leaves out the flags that are ignored.
Arguments Flags::normalised(const Arguments& arguments) {
  Arguments out;
  ignored_.clear();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool is_yes = arguments[i] == "-y" && find("--yes") != nullptr;
    const std::string argument = is_yes ? "--yes" : arguments[i];
    if (!is_flag(argument)) {
      if (argument.size() > 1 && argument[0] == '-') {
        fail_unknown(argument);
      }
      out.push_back(argument);
      continue;
    }
    const std::size_t equals = argument.find('=');
    std::string name = argument.substr(0, equals);
    std::replace(name.begin() + 2, name.end(), '-', '_');
    const bool has_value = equals != std::string::npos;
    const bool more = i + 1 < arguments.size() && !is_flag(arguments[i + 1]);
    const bool to_ignore = std::ranges::find(ignorable_, name, &Ignored::name) != ignorable_.end();
    const Flag* flag = find(name);
    if (flag == nullptr && !to_ignore) {
      fail_unknown(argument.substr(0, equals));
    }
    std::string value = has_value ? argument.substr(equals + 1) : "";
    if (!has_value && flag != nullptr && flag->is_switch) {
      const bool said = more && (is_in(arguments[i + 1], kTruths) || is_false(arguments[i + 1]));
      value = said ? arguments[++i] : "True";
    } else if (!has_value && more) {
      value = arguments[++i];
    } else if (!has_value && !to_ignore) {
      fail(name, ": needs a value (", name, "=VALUE or ", name, " VALUE)");
    }
    for (const ReadAs& known : read_as_) {
      if (known.name != name || known.value != value) continue;
      say_once(name + "=" + value + ": is not available; using " + known.other);
      value = known.other;
    }
    if (to_ignore) {
      ignored_.emplace_back(name, value);
    } else {
      check(!value.empty(), name, ": needs a value, got an empty one");
      out.push_back(name + "=" + value);
    }
  }
  return out;
}

std::string Flags::help(bool all) const {
  const std::size_t width = help_width(), column = width < 70 ? 20 : 28;
  const bool in_part = !all && !first_.empty();
  std::string out =
      wrapped(purpose_, width, 0) + "\n\nusage: " + program_name() + " " + command_ + " [FLAGS]";
  for (const Flag& flag : flags_) out += is_flag(flag.name) ? "" : " [" + flag.name + "]";
  out += "\n";
  const auto describe = [&](const Flag& flag) {
    std::string name = "  " + flag.name + (flag.placeholder.empty() ? "" : " ") + flag.placeholder;
    const std::string value = flag.show();
    const bool tells = flag.has_standard && !value.empty() && !(flag.is_switch && value == "False");
    const std::string help = flag.help + (tells ? " [" + value + "]" : "");
    if (name.size() + 1 < column) {
      name.resize(column, ' ');
    } else {
      name += "\n" + std::string(column, ' ');
    }
    out += name + wrapped(help, width, column) + "\n";
  };
  if (in_part) {
    out += "\nFlags\n";
    for (const std::string& name : first_) {
      if (const Flag* flag = find(name)) describe(*flag);
    }
    out += "\n" + wrapped(as_called(about_first_), width, 0) + "\n";
  }
  std::string group;
  for (const Flag& flag : flags_) {
    if (in_part) break;
    if (flag.group != group) out += "\n" + flag.group + "\n";
    group = flag.group;
    describe(flag);
  }
  return out + (footer_.empty() ? "" : "\n" + reflowed(as_called(footer_), width));
}

std::string Flags::flag_names() const {
  std::string out = "--help\n";
  for (const Flag& flag : flags_) {
    if (!is_flag(flag.name)) continue;
    out += flag.name;
    for (const std::string& choice : flag.choices) out += " " + choice;
    out += "\n";
  }
  return out;
}

void Flags::print_help(const Arguments& arguments, bool all) {
  try {
    Arguments others;
    std::ranges::copy_if(arguments, std::back_inserter(others),
                         [](const std::string& word) { return !is_in(word, kHelp); });
    ignorable_.clear(), read_as_.clear();  // help prints no notes about these
    parse(others);
  } catch (const std::invalid_argument&) {
    // Help is printed even if the arguments beside --help are wrong.
  }
  if (before_help_) before_help_();
  print(help(all));
}

bool Flags::parse(const Arguments& arguments) {
  const auto asks = [&](const char* word) { return is_in(std::string(word), arguments); };
  if (asks("--flag-names")) {
    print(flag_names());
    return false;
  }
  const bool all = asks("--help-all") || asks("--help_all");
  if (all || asks("--help") || asks("-h")) {
    print_help(arguments, all);
    return false;
  }
  Arguments words = normalised(arguments);
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the end
  try {
    app_->parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    fail(command_, ": ", error.what(), " ('", program_name(), " ", command_,
         " --help' lists the flags)");
  }
  const auto extras = app_->remaining();
  if (!extras.empty()) {
    fail_unknown(extras.front());
  }
  for (Flag& flag : flags_) flag.values = flag.option->results();
  assign_given();
  say_ignored();
  return true;
}

void Flags::assign_given() {
  for (const Flag& flag : flags_) {
    if (!flag.values.empty()) flag.assign(flag.values);
  }
}

void Flags::give(const std::string& name, const std::vector<std::string>& values) {
  Flag& flag = *std::ranges::find(flags_, name, &Flag::name);
  flag.values = values;
  flag.assign(values);
}

}  // namespace gradus
