#include "nn/text/template_values.h"

#include <algorithm>
#include <cstdlib>

#include "autograd/check.h"
#include "nn/text/unicode_folding.h"
#include "nn/text/utf8.h"

namespace gradus {
using namespace detail;
namespace {

using Value = TemplateValue;
using Arguments = std::vector<TemplateValue>;
using ValueList = TemplateValue::List;
using ValueTable = TemplateValue::Table;

constexpr std::size_t kLongestRendered = std::size_t{16} << 20;  // bytes
constexpr std::size_t kLongestList = std::size_t{1} << 20;       // items
constexpr int kDeepestValue = 16;

/// The name of a value's type, for messages.
std::string kind_of(const Value& value) {
  static constexpr const char* kNames[] = {"undefined", "none",   "a truth value", "a number",
                                           "a text",    "a list", "a table"};
  const auto* undefined = value.as<Value::Undefined>();
  return undefined != nullptr ? undefined->name + ", which is undefined" : kNames[value.of.index()];
}

std::int64_t number_of(const Value& value, const std::string& place) {
  if (const auto* truth = value.as<bool>()) return *truth;
  const auto* number = value.as<std::int64_t>();
  check(number != nullptr, place, " needs a number, got ", kind_of(value));
  return *number;
}

const MarkedText& text_of(const Value& value, const std::string& place) {
  const auto* text = value.as<MarkedText>();
  check(text != nullptr, place, " needs a text, got ", kind_of(value));
  return *text;
}

const ValueList& list_of(const Value& value, const std::string& place) {
  const auto* list = value.as<ValueList>();
  check(list != nullptr, place, " needs a list, got ", kind_of(value));
  return *list;
}

bool holds_values(const Value& value) {
  return value.as<ValueList>() != nullptr || value.as<ValueTable>() != nullptr;
}

bool is_python_blank(char32_t c) { return is_white_space(c) || (c >= 0x1c && c <= 0x1f); }

/// A text without the characters of `removed` at its start and end; the default is white space.
MarkedText stripped(const MarkedText& text, const MarkedText* removed, bool left, bool right) {
  const std::string& bytes = text.bytes();
  const auto goes = [&](std::size_t begin, std::size_t end) {
    const Utf8Char read = read_utf8(bytes, begin);
    if (read.state != Utf8::kValid || begin + read.length != end) return false;
    return removed != nullptr
               ? removed->bytes().find(bytes.substr(begin, end - begin)) != std::string::npos
               : is_python_blank(read.code_point);
  };
  std::size_t begin = 0, end = bytes.size();
  while (left && begin < end) {
    const std::size_t next = begin + read_utf8(bytes, begin).length;
    if (!goes(begin, next)) break;
    begin = next;
  }
  while (right && begin < end) {
    std::size_t last = end - 1;
    while (last > begin && (static_cast<unsigned char>(bytes[last]) & 0xc0) == 0x80) --last;
    if (!goes(last, end)) break;
    end = last;
  }
  return text.part(begin, end);
}

/// The parts of a text between the places of another.
Value split_at(const MarkedText& text, const std::string& place) {
  check(!place.empty(), "split needs a text that is not empty");
  ValueList parts;
  for (std::size_t begin = 0;;) {
    check(parts.size() < kLongestList, "makes a list that is too long");
    const std::size_t end = text.bytes().find(place, begin);
    parts.push_back({text.part(begin, std::min(end, text.bytes().size()))});
    if (end == std::string::npos) return Value::list(std::move(parts));
    begin = end + place.size();
  }
}

/// Where the characters of a text begin, and its end.
std::vector<std::size_t> begins_of_characters(const std::string& bytes) {
  std::vector<std::size_t> begins = {0};
  while (begins.back() < bytes.size()) {
    begins.push_back(begins.back() + read_utf8(bytes, begins.back()).length);
  }
  return begins;
}

/// The items whose attribute passes a test, or does not.
Value selected(const ValueList& items, const Arguments& arguments, bool wanted) {
  check(!arguments.empty(), "selectattr needs the name of an attribute");
  const std::string attribute = text_of(arguments[0], "selectattr").bytes();
  ValueList chosen;
  for (const Value& item : items) {
    const Value value = attribute_of(item, attribute);
    const bool passes = arguments.size() == 1
                            ? is_true(value)
                            : is_tested(value, text_of(arguments[1], "selectattr").bytes(),
                                        {arguments.begin() + 2, arguments.end()});
    if (passes == wanted) chosen.push_back(item);
  }
  return Value::list(std::move(chosen));
}

bool is_in(const Value& a, const Value& b) {
  if (b.as<Value::Undefined>() != nullptr) return false;
  if (const auto* text = b.as<MarkedText>()) {
    return text->bytes().find(text_of(a, "in").bytes()) != std::string::npos;
  }
  if (const auto* table = b.as<ValueTable>()) return table->contains(text_of(a, "in").bytes());
  return std::ranges::any_of(list_of(b, "in"),
                             [&](const Value& item) { return are_equal(a, item); });
}

Value sum_of(const Value& a, const Value& b) {
  if (const auto* list = a.as<ValueList>()) {
    ValueList all = *list;
    const ValueList& more = list_of(b, "+");
    all.insert(all.end(), more.begin(), more.end());
    check(all.size() < kLongestList, "makes a list that is too long");
    return Value::list(std::move(all));
  }
  MarkedText text = text_of(a, "+");
  text += text_of(b, "+");
  check(text.bytes().size() < kLongestRendered, "makes a text that is too long");
  return {std::move(text)};
}

/// Python's quotient, rounded down.
std::int64_t quotient(std::int64_t a, std::int64_t b, const std::string& sign) {
  check(b != 0, sign, " divides by 0");
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

}  // namespace

Value Value::list(List items) {
  int depth = 0;
  for (const Value& item : items) depth = std::max(depth, item.depth);
  check(depth < kDeepestValue, "lists in lists are too deep, or hold a namespace");
  return {std::make_shared<List>(std::move(items)), depth + 1};
}

Value Value::table(Table items) {
  int depth = 0;
  for (const auto& [name, item] : items) depth = std::max(depth, item.depth);
  check(depth < kDeepestValue, "lists in lists are too deep, or hold a namespace");
  return {std::make_shared<Table>(std::move(items)), depth + 1};
}

namespace detail {

bool is_true(const Value& value) {
  if (const auto* truth = value.as<bool>()) return *truth;
  if (const auto* number = value.as<std::int64_t>()) return *number != 0;
  if (const auto* text = value.as<MarkedText>()) return !text->bytes().empty();
  if (const auto* list = value.as<ValueList>()) return !list->empty();
  const auto* table = value.as<ValueTable>();
  return table != nullptr && !table->empty();
}

bool are_equal(const Value& a, const Value& b) {
  const auto is_number = [](const Value& value) {
    return value.as<bool>() != nullptr || value.as<std::int64_t>() != nullptr;
  };
  if (is_number(a) && is_number(b)) return number_of(a, "==") == number_of(b, "==");
  if (a.of.index() != b.of.index()) return false;
  if (const auto* text = a.as<MarkedText>()) return text->bytes() == b.as<MarkedText>()->bytes();
  // Lists of lists are not compared: with shared parts, that could take for ever.
  const auto are_equal_items = [](const Value& x, const Value& y) {
    check(!holds_values(x) && !holds_values(y), "== of lists in lists is not supported");
    return are_equal(x, y);
  };
  if (const auto* list = a.as<ValueList>()) {
    return std::ranges::equal(*list, *b.as<ValueList>(), are_equal_items);
  }
  if (const auto* table = a.as<ValueTable>()) {
    return std::ranges::equal(*table, *b.as<ValueTable>(), [&](const auto& x, const auto& y) {
      return x.first == y.first && are_equal_items(x.second, y.second);
    });
  }
  return true;
}

MarkedText printed(const Value& value) {
  if (const auto* text = value.as<MarkedText>()) return *text;
  if (value.as<Value::Undefined>() != nullptr) return {};
  if (value.as<Value::None>() != nullptr) return MarkedText("None", true);
  if (const auto* truth = value.as<bool>()) return MarkedText(*truth ? "True" : "False", true);
  const auto* number = value.as<std::int64_t>();
  check(number != nullptr, "{{ }} of ", kind_of(value), " is not supported");
  return MarkedText(std::to_string(*number), true);
}

Value attribute_of(const Value& value, const std::string& name) {
  if (const auto* undefined = value.as<Value::Undefined>()) {
    fail(undefined->name, " is undefined, but its ", name, " is needed");
  }
  if (const auto* table = value.as<ValueTable>()) {
    const auto found = table->find(name);
    if (found != table->end()) return found->second;
  }
  return {Value::Undefined{name}};
}

Value item_of(const Value& value, const Value& index) {
  if (const auto* name = index.as<MarkedText>()) return attribute_of(value, name->bytes());
  const ValueList& list = list_of(value, "[ ]");
  std::int64_t at = number_of(index, "[ ]");
  if (at < 0) at += std::ssize(list);
  if (at < 0 || at >= std::ssize(list)) return {Value::Undefined{"an item"}};
  return list[static_cast<std::size_t>(at)];
}

Value slice_of(const Value& value, const Value& begin, const Value& end, const Value& step) {
  const auto* text = value.as<MarkedText>();
  const std::vector<std::size_t> characters =
      text != nullptr ? begins_of_characters(text->bytes()) : std::vector<std::size_t>();
  const std::int64_t size =
      text != nullptr ? std::ssize(characters) - 1 : std::ssize(list_of(value, "[:]"));
  const std::int64_t by = step.as<Value::None>() != nullptr ? 1 : number_of(step, "[:]");
  check(by != 0, "a slice has steps of 0");
  const std::int64_t lowest = by > 0 ? 0 : -1, highest = by > 0 ? size : size - 1;
  const auto bound = [&](const Value& given, std::int64_t left_out) {
    if (given.as<Value::None>() != nullptr) return left_out;
    const std::int64_t at = number_of(given, "[:]");
    return std::clamp(at < 0 ? at + size : at, lowest, highest);
  };
  const std::int64_t first = bound(begin, by > 0 ? lowest : highest);
  const std::int64_t last = bound(end, by > 0 ? highest : lowest);
  if (text != nullptr) {
    check(by == 1, "a slice of a text with steps is not supported");
    return {text->part(characters[static_cast<std::size_t>(first)],
                       characters[static_cast<std::size_t>(std::max(first, last))])};
  }
  ValueList items;
  for (std::int64_t at = first; by > 0 ? at < last : at > last; at += by) {
    items.push_back((*value.as<ValueList>())[static_cast<std::size_t>(at)]);
  }
  return Value::list(std::move(items));
}

Value operated(const std::string& sign, const Value& a, const Value& b) {
  if (sign == "==") return {are_equal(a, b)};
  if (sign == "!=") return {!are_equal(a, b)};
  if (sign == "in") return {is_in(a, b)};
  if (sign == "+" && (a.as<MarkedText>() != nullptr || a.as<ValueList>() != nullptr)) {
    return sum_of(a, b);
  }
  if (sign == "~") return sum_of({printed(a)}, {printed(b)});
  const std::int64_t x = number_of(a, sign), y = number_of(b, sign);
  constexpr std::int64_t kLargest = std::int64_t{1} << 31;  // products stay in range
  check(std::max(std::abs(x), std::abs(y)) < kLargest, sign, " has too large a number");
  if (sign == "<") return {x < y};
  if (sign == ">") return {x > y};
  if (sign == "<=") return {x <= y};
  if (sign == ">=") return {x >= y};
  if (sign == "+") return {x + y};
  if (sign == "-") return {x - y};
  if (sign == "*") return {x * y};
  if (sign == "//") return {quotient(x, y, sign)};
  check(sign == "%", "the operator ", sign, " is not supported");
  return {x - y * quotient(x, y, sign)};
}

Value filtered(const Value& value, const std::string& name, const Arguments& arguments) {
  if (name == "trim") return {stripped(text_of(value, name), nullptr, true, true)};
  if (name == "length" || name == "count") {
    if (const auto* text = value.as<MarkedText>()) {
      return {std::ssize(begins_of_characters(text->bytes())) - 1};
    }
    const auto* table = value.as<ValueTable>();
    return {
        static_cast<std::int64_t>(table != nullptr ? table->size() : list_of(value, name).size())};
  }
  if (name == "list") return Value::list(list_of(value, name));
  if (name == "string") return {printed(value)};
  if (name == "default" || name == "d") {
    check(arguments.size() == 1, "the filter default needs one value");
    return value.as<Value::Undefined>() != nullptr ? arguments[0] : value;
  }
  if (name == "first" || name == "last") {
    return item_of(value, {name == "first" ? std::int64_t{0} : std::int64_t{-1}});
  }
  if (name == "selectattr" || name == "rejectattr") {
    return selected(list_of(value, name), arguments, name == "selectattr");
  }
  fail("the filter ", name, " is not supported");
}

bool is_tested(const Value& value, const std::string& name, const Arguments& arguments) {
  const bool is_undefined = value.as<Value::Undefined>() != nullptr;
  if (name == "defined") return !is_undefined;
  if (name == "undefined") return is_undefined;
  if (name == "none") return value.as<Value::None>() != nullptr;
  if (name == "string") return value.as<MarkedText>() != nullptr;
  if (name == "number") return value.as<std::int64_t>() != nullptr || value.as<bool>() != nullptr;
  if (name == "boolean") return value.as<bool>() != nullptr;
  if (name == "true" || name == "false") {
    return value.as<bool>() != nullptr && *value.as<bool>() == (name == "true");
  }
  if (name == "mapping") return value.as<ValueTable>() != nullptr;
  if (name == "iterable" || name == "sequence") {
    return value.as<MarkedText>() != nullptr || value.as<ValueList>() != nullptr ||
           value.as<ValueTable>() != nullptr || (is_undefined && name == "iterable");
  }
  check(name == "equalto" || name == "eq" || name == "==", "the test ", name, " is not supported");
  check(arguments.size() == 1, "the test ", name, " needs one value");
  return are_equal(value, arguments[0]);
}

Value called(const Value& value, const std::string& name, const Arguments& arguments) {
  if (const auto* table = value.as<ValueTable>(); table != nullptr && name == "get") {
    check(!arguments.empty(), "get needs a name");
    const auto found = table->find(text_of(arguments[0], name).bytes());
    if (found != table->end()) return found->second;
    return arguments.size() > 1 ? arguments[1] : Value{Value::None{}};
  }
  const auto* text = value.as<MarkedText>();
  check(text != nullptr, "the method ", name, " of ", kind_of(value), " is not supported");
  const MarkedText* given = arguments.empty() ? nullptr : &text_of(arguments[0], name);
  if (name == "strip") return {stripped(*text, given, true, true)};
  if (name == "lstrip") return {stripped(*text, given, true, false)};
  if (name == "rstrip") return {stripped(*text, given, false, true)};
  check(given != nullptr && arguments.size() == 1 &&
            (name == "split" || name == "startswith" || name == "endswith"),
        "the method ", name, " with ", arguments.size(), " values is not supported");
  if (name == "split") return split_at(*text, given->bytes());
  return {name == "startswith" ? text->bytes().starts_with(given->bytes())
                               : text->bytes().ends_with(given->bytes())};
}

}  // namespace detail

}  // namespace gradus
