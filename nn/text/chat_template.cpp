#include "nn/text/chat_template.h"

#include <algorithm>
#include <array>
#include <utility>

#include "autograd/check.h"
#include "nn/text/template_values.h"

namespace gradus {
using namespace detail;
namespace {

using Expression = TemplateExpression;
using Statement = TemplateStatement;
using Kind = Expression::Kind;
using Value = TemplateValue;

constexpr std::size_t kMostTemplateSteps = 10'000'000;  // hostile templates have loops within loops
constexpr int kNamespaceDepth = 100;  // deeper than all others, so that none can hold it
constexpr std::size_t kLongestChat = std::size_t{16} << 20;
constexpr std::int64_t kLongestRange = 1 << 20;
constexpr std::array kFunctions = {"raise_exception", "strftime_now", "namespace", "range"};

/// Runs the statements of a template.
class TemplateRun {
 public:
  TemplateRun(std::map<std::string, Value> names, std::time_t now)
      : scopes_({std::move(names)}), now_(now) {}

  void run(const std::vector<Statement>& statements) {
    for (const Statement& statement : statements) run(statement);
  }
  MarkedText result() { return std::move(out_); }

 private:
  void run(const Statement& statement) {
    count_steps(1);
    switch (statement.kind) {
      case Statement::Kind::kText:
        return print(MarkedText(statement.name, true));
      case Statement::Kind::kPrint:
        return print(printed(value_of(statement.value)));
      case Statement::Kind::kSet:
        return set(statement, value_of(statement.value));
      case Statement::Kind::kIf:
        return run(is_true(value_of(statement.value)) ? statement.body : statement.otherwise);
      case Statement::Kind::kFor:
        return loop(statement);
    }
  }

  void print(const MarkedText& text) {
    out_ += text;
    check(out_.bytes().size() < kLongestChat, "makes a text that is too long");
  }

  void set(const Statement& statement, Value value) {
    if (statement.attribute.empty()) {
      scopes_.back()[statement.name] = std::move(value);
      return;
    }
    const Value of = variable(statement.name);
    check(value.depth < kNamespaceDepth, "a namespace in a namespace is not supported");
    const auto* table = std::get_if<std::shared_ptr<Value::Table>>(&of.of);
    check(table != nullptr && of.depth == kNamespaceDepth, statement.name,
          " is not a namespace, so its ", statement.attribute, " cannot be set");
    (**table)[statement.attribute] = std::move(value);
  }

  void loop(const Statement& statement) {
    check(statement.attribute.empty(), "a loop with two variables is not supported");
    const Value given = value_of(statement.value);
    Value::List items;
    if (given.as<Value::Undefined>() == nullptr) {
      const auto* list = given.as<Value::List>();
      check(list != nullptr, "a loop is only supported over a list");
      items = *list;
    }
    if (!statement.condition.empty()) {
      scopes_.emplace_back();
      std::erase_if(items, [&](const Value& item) {
        scopes_.back()[statement.name] = item;
        return !is_true(value_of(statement.condition[0]));
      });
      scopes_.pop_back();
    }
    if (items.empty()) return run(statement.otherwise);
    for (std::size_t i = 0; i < items.size(); ++i) {
      Value::Table state = {{"index0", {static_cast<std::int64_t>(i)}},
                            {"index", {static_cast<std::int64_t>(i + 1)}},
                            {"first", {i == 0}},
                            {"last", {i + 1 == items.size()}},
                            {"length", {static_cast<std::int64_t>(items.size())}}};
      if (i > 0) state["previtem"] = items[i - 1];
      if (i + 1 < items.size()) state["nextitem"] = items[i + 1];
      scopes_.push_back({{"loop", Value::table(std::move(state))}, {statement.name, items[i]}});
      run(statement.body);
      scopes_.pop_back();
    }
  }

  Value variable(const std::string& name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      const auto found = scope->find(name);
      if (found != scope->end()) return found->second;
    }
    if (std::ranges::find(kFunctions, name) != kFunctions.end()) return {true};  // it is defined
    return {Value::Undefined{name}};
  }

  Value value_of(const Expression& e) {
    Value value = evaluated(e);
    const auto* list = value.as<Value::List>();
    const auto* text = value.as<MarkedText>();
    count_steps(1 + (list != nullptr ? list->size() : 0) +
                (text != nullptr ? text->bytes().size() / 256 : 0));
    return value;
  }

  Value evaluated(const Expression& e) {
    const auto part = [&](std::size_t i) { return value_of(e.parts[i]); };
    switch (e.kind) {
      case Kind::kNone:
        return {Value::None{}};
      case Kind::kTruth:
        return {e.number != 0};
      case Kind::kNumber:
        return {e.number};
      case Kind::kText:
        return Value::markup(e.name);
      case Kind::kName:
        return variable(e.name);
      case Kind::kList:
        return Value::list(values_of(e, 0));
      case Kind::kTable:
        fail("{ } as a value is not supported");
      case Kind::kAttribute:
        return attribute_of(part(0), e.name);
      case Kind::kItem:
        return item_of(part(0), part(1));
      case Kind::kSlice:
        return slice_of(part(0), part(1), part(2), part(3));
      case Kind::kCall:
        return call(e);
      case Kind::kFilter:
        return filtered(part(0), e.name, values_of(e, 1));
      case Kind::kTest:
        return {is_tested(part(0), e.name, values_of(e, 1))};
      case Kind::kNot:
        return {!is_true(part(0))};
      case Kind::kNegative:
        return operated("-", {std::int64_t{0}}, part(0));
      case Kind::kOperator:
        return operation(e);
      case Kind::kEither:
        return is_true(part(1)) ? part(0) : part(2);
    }
    return {};
  }

  std::vector<Value> values_of(const Expression& e, std::size_t from) {
    std::vector<Value> values;
    for (std::size_t i = from; i < e.parts.size(); ++i) values.push_back(value_of(e.parts[i]));
    return values;
  }

  Value operation(const Expression& e) {
    Value left = value_of(e.parts[0]);
    if (e.name == "and") return is_true(left) ? value_of(e.parts[1]) : left;
    if (e.name == "or") return is_true(left) ? left : value_of(e.parts[1]);
    return operated(e.name, left, value_of(e.parts[1]));
  }

  Value call(const Expression& e) {
    const Expression& callee = e.parts[0];
    if (callee.kind == Kind::kAttribute) {
      return called(value_of(callee.parts[0]), callee.name, values_of(e, 1));
    }
    const std::vector<Value> given = values_of(e, 1);
    if (callee.name == "namespace") {
      Value::Table table;
      for (std::size_t i = 0; i < given.size(); ++i) {
        check(given[i].depth < kNamespaceDepth, "a namespace in a namespace is not supported");
        table[e.keys[i + 1]] = given[i];
      }
      Value made = Value::table(std::move(table));
      made.depth = kNamespaceDepth;
      return made;
    }
    if (callee.name == "raise_exception") {
      fail("the template refuses the conversation: ",
           given.empty() ? "" : printed(given[0]).bytes());
    }
    if (callee.name == "strftime_now") {
      check(given.size() == 1, "strftime_now needs a format");
      return date(printed(given[0]).bytes());
    }
    check(callee.name == "range" && (given.size() == 1 || given.size() == 2), "the function ",
          callee.name, " with ", given.size(), " values is not supported");
    return range(given.size() == 2 ? given[0] : Value{std::int64_t{0}}, given.back());
  }

  Value range(const Value& begin, const Value& end) {
    const auto* from = begin.as<std::int64_t>();
    const auto* to = end.as<std::int64_t>();
    check(from != nullptr && to != nullptr, "range needs numbers");
    check(*to - *from < kLongestRange, "range makes a list that is too long");
    Value::List numbers;
    for (std::int64_t i = *from; i < *to; ++i) {
      count_steps(1);
      numbers.push_back({i});
    }
    return Value::list(std::move(numbers));
  }

  Value date(const std::string& format) const {
    std::tm day{};
    check(localtime_r(&now_, &day) != nullptr, "the date is out of range");
    std::array<char, 256> text{};
    const std::size_t length = std::strftime(text.data(), text.size(), format.c_str(), &day);
    return Value::markup(std::string(text.data(), length));
  }

  void count_steps(std::size_t steps) {
    check((steps_ += steps) < kMostTemplateSteps, "takes more than ", kMostTemplateSteps, " steps");
  }

  std::vector<std::map<std::string, Value>> scopes_;
  std::time_t now_;
  MarkedText out_;
  std::size_t steps_ = 0;
};

}  // namespace

ChatTemplate::ChatTemplate(std::string_view source, std::map<std::string, std::string> names)
    : statements_(parse_template(source)), names_(std::move(names)) {}

MarkedText ChatTemplate::render(std::span<const ChatMessage> messages, std::time_t now) const {
  std::map<std::string, Value> names = {{"add_generation_prompt", {true}},
                                        {"tools", {Value::None{}}},
                                        {"documents", {Value::None{}}}};
  for (const auto& [name, text] : names_) names[name] = Value::markup(text);
  Value::List list;
  for (const ChatMessage& message : messages) {
    list.push_back(Value::table(
        {{"role", Value::markup(message.role)}, {"content", {MarkedText(message.text, false)}}}));
  }
  names["messages"] = Value::list(std::move(list));
  TemplateRun run(std::move(names), now);
  run.run(statements_);
  return run.result();
}

}  // namespace gradus
