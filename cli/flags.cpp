#include "cli/flags.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>

#include "autograd/check.h"

namespace gradus {
namespace {

constexpr const char* kTruths[] = {"True", "true", "1", "yes", "on"};
constexpr const char* kFalsehoods[] = {"False", "false", "0", "no", "off"};

bool is_one_of(const std::string& word, const auto& words) {
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

std::string nearest(const std::string& word, const std::vector<std::string>& names) {
  const auto distance = [&](const std::string& name) { return edit_distance(word, name); };
  const auto best = std::ranges::min_element(names, {}, distance);
  const std::size_t letters = word.size() - std::min(word.size(), word.find_first_not_of('-'));
  return best != names.end() && distance(*best) <= (letters + 1) / 3 ? *best : "";
}

Flags::Flags(const std::string& command, const std::string& purpose)
    : command_(command), app_(std::make_unique<CLI::App>(purpose, "gradus " + command)) {
  app_->get_formatter()->column_width(30);
  app_->set_help_flag();  // normalised() turns all its spellings into one
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
    fail(name, ": ", text, " is beyond any use (choose a smaller number)");
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

void Flags::add_valued(const std::string& name, const std::string& placeholder,
                       const std::string& help,
                       const std::function<void(const std::string&)>& assign,
                       const std::function<std::string()>& show) {
  const std::string value = show();
  const std::string standard = value.empty() ? "" : " [" + value + "]";
  CLI::Option* option = app_->add_option_function<std::string>(name, assign, help + standard);
  option->type_name(placeholder)->take_last()->group(group_);
  flags_.push_back({name, false, show, option});
}

void Flags::add(const std::string& name, std::string& value, const std::string& help,
                const std::string& placeholder) {
  add_valued(
      name, placeholder, help, [&value](const std::string& text) { value = text; }, shower(value));
}

void Flags::add(const std::string& name, std::vector<std::string>& values, const std::string& help,
                const std::string& placeholder) {
  const auto assign = [&values](const std::vector<std::string>& texts) { values = texts; };
  CLI::Option* option = app_->add_option_function<std::vector<std::string>>(name, assign, help);
  option->type_name(placeholder)->allow_extra_args(false)->group(group_);
  flags_.push_back({name, false, [] { return std::string(); }, option});
}

void Flags::add(const std::string& name, bool& value, const std::string& help) {
  const auto assign = [&value, name](const std::string& text) {
    value = is_one_of(text, kTruths);
    check(value || is_one_of(text, kFalsehoods), name, ": needs True or False, got '", text, "'");
  };
  CLI::Option* option =
      app_->add_option_function<std::string>(name, assign, help + (value ? " [True]" : ""));
  option->type_name(" ")->take_last()->group(group_);
  flags_.push_back(
      {name, true, [&value] { return std::string(value ? "True" : "False"); }, option});
}

void Flags::add_positional(const std::string& name, std::string& value, const std::string& help) {
  CLI::Option* option = app_->add_option(name, value, help);
  option->type_name(" ");
  flags_.push_back({name, false, shower(value), option});
}

void Flags::ignore(const std::vector<std::string>& names) { ignorable_ = names; }

void Flags::footer(const std::string& text) { app_->footer("\n" + text); }

const Flags::Flag* Flags::find(const std::string& name) const {
  const auto flag = std::ranges::find(flags_, name, &Flag::name);
  return flag == flags_.end() ? nullptr : &*flag;
}

bool Flags::given(const std::string& name) const {
  const Flag* flag = find(name);
  return flag != nullptr && flag->option->count() > 0;
}

std::vector<std::string> Flags::given() const {
  std::vector<std::string> names;
  for (const Flag& flag : flags_) {
    if (flag.option->count() > 0) {
      names.push_back(flag.name);
    }
  }
  return names;
}

std::string Flags::value(const std::string& name) const { return find(name)->show(); }

void Flags::fail_unknown(const std::string& argument) const {
  std::vector<std::string> names;
  for (const Flag& flag : flags_) {
    names.push_back(flag.name);
  }
  const std::string meant = nearest(argument, names);
  const std::string help = "'" + program_name() + " " + command_ + " --help' lists the flags";
  fail(argument,
       argument.starts_with('-') ? ": is no flag of " : ": is nothing that is expected by ",
       command_, " (", meant.empty() ? help : "did you mean " + meant + "? " + help, ")");
}

/// Every flag in the form `--name=value`, as CLI11 reads it without doubt, whatever the value
/// begins with. Drops what is to be ignored.
Arguments Flags::normalised(const Arguments& arguments) {
  Arguments out;
  ignored_.clear();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
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
    const bool to_ignore = is_one_of(name, ignorable_);
    const Flag* flag = find(name);
    if (flag == nullptr && !to_ignore) {
      fail_unknown(argument.substr(0, equals));
    }
    std::string value = has_value ? argument.substr(equals + 1) : "";
    if (!has_value && flag != nullptr && flag->is_switch) {
      const bool said = more && (is_one_of(arguments[i + 1], kTruths) ||
                                 is_one_of(arguments[i + 1], kFalsehoods));
      value = said ? arguments[++i] : "True";
    } else if (!has_value && more) {
      value = arguments[++i];
    } else if (!has_value && !to_ignore) {
      fail(name, ": needs a value (", name, "=VALUE or ", name, " VALUE)");
    }
    if (to_ignore) {
      ignored_.push_back(name);
    } else {
      check(!value.empty(), name, ": needs a value that is not empty");
      out.push_back(name + "=" + value);
    }
  }
  return out;
}

bool Flags::parse(const Arguments& arguments) {
  if (is_one_of("--help", arguments) || is_one_of("-h", arguments)) {
    print(app_->help());
    return false;
  }
  Arguments words = normalised(arguments);
  std::reverse(words.begin(), words.end());  // as CLI11 wants them
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
  return true;
}

}  // namespace gradus
