// Chapter 03's engine on lines that the reader types, such as "a = 2" and "y = (a + 1) a": the
// graph as a figure that steps through its backward pass.
#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <stdexcept>

#include "live/live.h"
#include "tutorials/03_reverse_mode/engine.h"
#include "tutorials/common/graph_steps.h"

using engine::Value;
using live::Numbers;

namespace {

constexpr std::size_t kMostNodes = 30;

/// A number with four digits, which fit into a box and the gap before it.
std::string written(double x) {
  std::ostringstream text;
  text.precision(4);
  text << x;
  return text.str();
}

/// The numbers that lines of "name = expression" compute. An expression has numbers, names, + - *
/// and tanh(); "a b" is a product too. The last line is the result.
class Lines {
 public:
  explicit Lines(const std::string& text) : text_(text) {
    for (char& c : text_) c = c == ';' ? '\n' : c;
    while (skip("\n ")) {
      const std::string name = read_name();
      if (!take('=')) fail("a line is a name, =, and an expression");
      result_ = sum();
      if (values_.contains(name)) fail(name + " has a value already");
      values_[name] = result_;
      if (!called_.contains(result_.get()) || is_number(called_[result_.get()])) {
        called_[result_.get()] = name;
      }
      if (skip(" ") && text_[at_] != '\n') fail("cannot read on");
    }
    if (!result_) throw std::invalid_argument("Type a line such as y = 2.");
  }
  const Value& result() const { return result_; }
  /// The name of a node; a node without one gets a name that no line has.
  std::string name_of(const engine::Node* node) {
    for (const char* name : {"p", "s", "q", "r", "u", "v", "w", "z", "h", "k"}) {
      if (called_.contains(node)) break;
      if (!values_.contains(name) && used_.insert(name).second) called_[node] = name;
    }
    return called_.try_emplace(node, "n" + std::to_string(called_.size())).first->second;
  }
  /// The words of a box, such as "s = a + b", or "a".
  std::string words_of(const engine::Node* node) {
    const std::string name = name_of(node), how = made_.contains(node) ? made_[node] : "";
    if (how.empty()) return name;
    const std::string first = name_of(node->edges.front().input.get());
    if (how == "tanh") return name + " = tanh " + first;
    return name + " = " + first + " " + (how == "*" ? "" : how + " ") +
           name_of(node->edges.back().input.get());
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + std::ptrdiff_t(at_), '\n');
    throw std::invalid_argument("Line " + std::to_string(line) + ": " + what + ".");
  }
  /// Skips these characters. Returns whether others follow.
  bool skip(const char* blanks) {
    at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size());
    return at_ < text_.size();
  }
  char next() { return skip(" ") ? text_[at_] : '\n'; }
  bool take(char c) {
    const bool there = next() == c;
    at_ += there;
    return there;
  }
  static bool is_number(const std::string& name) { return !std::isalpha(name[0]); }
  std::string read_name() {
    if (!std::isalpha(static_cast<unsigned char>(next()))) fail("a name is missing");
    std::string name = text_.compare(at_, 4, "tanh") == 0 ? "tanh" : text_.substr(at_, 1);
    at_ += name.size();
    while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) {
      name += text_[at_++];
    }
    return name;
  }
  Value made(const Value& value, const std::string& how) {
    made_[value.get()] = how;
    if (++count_ > kMostNodes) fail("more than 30 numbers do not fit the figure");
    kept_.push_back(value);
    return value;
  }
  Value sum() {
    Value x = product();
    for (;;) {
      if (take('+')) {
        x = made(x + product(), "+");
      } else if (take('-')) {
        x = made(x - product(), "-");
      } else {
        return x;
      }
    }
  }
  Value product() {
    Value x = factor();
    for (;;) {
      const char c = next();
      if (c != '*' && c != '(' && !std::isalnum(static_cast<unsigned char>(c))) return x;
      take('*');
      x = made(x * factor(), "*");
    }
  }
  Value factor() {
    if (take('(')) {
      const Value x = sum();
      if (!take(')')) fail("a bracket does not end");
      return x;
    }
    if (take('-')) {
      if (std::isdigit(static_cast<unsigned char>(next()))) return number(-1);
      return made(constant(-1) * factor(), "*");
    }
    if (std::isdigit(static_cast<unsigned char>(next())) || next() == '.') return number(1);
    const std::string name = read_name();
    if (name == "tanh") {
      if (next() != '(') fail("tanh needs a bracket");
      return made(tanh(factor()), "tanh");
    }
    const auto found = values_.find(name);
    if (found == values_.end())
      fail(name + " has no value yet: begin with a line " + name + " = 1");
    return found->second;
  }
  Value number(double sign) {
    std::size_t length = 0;
    while (at_ + length < text_.size() &&
           (std::isdigit(static_cast<unsigned char>(text_[at_ + length])) ||
            text_[at_ + length] == '.')) {
      ++length;
    }
    std::istringstream digits(text_.substr(at_, length));
    double value = 0;
    if (!(digits >> value) || digits.peek() != EOF) fail("a number is wrong");
    at_ += length;
    return constant(sign * value);
  }
  Value constant(double value) {
    const Value x = made(engine::number(value), "");
    called_[x.get()] = written(value);
    return x;
  }

  std::string text_;
  std::size_t at_ = 0, count_ = 0;
  Value result_;
  std::vector<Value> kept_;
  std::map<std::string, Value> values_;
  std::map<const engine::Node*, std::string> called_, made_;
  std::set<std::string> used_;
};

/// For lines: the value of each number, and the slope of the result with respect to it, inputs
/// first.
Numbers gradients(const Numbers& in) {
  const Lines lines(live::text_of(in));
  engine::backward(lines.result());
  Numbers found;
  for (const engine::Node* node : engine::order_of(lines.result())) {
    found.insert(found.end(), {node->value, node->grad});
  }
  return found;
}

/// For lines: the figure, as HTML. Each step is one arrow, along which pass_back() goes.
Numbers figure(const Numbers& in) {
  Lines lines(live::text_of(in));
  const std::vector<engine::Node*> nodes = engine::order_of(lines.result());
  std::map<const engine::Node*, std::size_t> place;
  std::vector<course::GraphBox> boxes;
  for (const engine::Node* node : nodes) {
    course::GraphBox box{.words = lines.words_of(node), .value = written(node->value)};
    for (const auto& [input, slope] : node->edges) {
      box.inputs.push_back({.box = place.at(input.get()), .slope = written(slope)});
    }
    place[node] = boxes.size();
    boxes.push_back(box);
  }
  const std::string result = lines.name_of(nodes.back());
  const int last = static_cast<int>(nodes.size()) - 1;
  std::vector<std::string> shown(boxes.size());
  std::vector<course::GraphStep> steps = {
      {.words = "Forward pass: each box has its value, each arrow its slope. No gradient yet.",
       .grads = shown}};
  nodes.back()->grad = 1;
  shown.back() = "1";
  steps.push_back(
      {.words = "The slope of " + result + " by itself is 1.", .grads = shown, .box = last});
  for (std::size_t i = nodes.size(); i-- > 0;) {
    const engine::Node& node = *nodes[i];
    for (std::size_t k = 0; k < node.edges.size(); ++k) {
      const auto& [input, slope] = node.edges[k];
      std::string& to = shown[place.at(input.get())];
      const std::string before = to;
      engine::Node one_arrow{node.value, {node.edges[k]}, node.grad};
      engine::pass_back({&one_arrow});
      to = written(input->grad);
      const std::string share = written(node.grad * slope);
      steps.push_back({.words = lines.name_of(&node) + " passes to " + lines.name_of(input.get()) +
                                " its gradient times the slope: " + written(node.grad) + " x " +
                                written(slope) + " = " + share + ". " +
                                (before.empty() ? "It is the first to arrive."
                                                : "It is added to what was there: " + before +
                                                      " + " + share + " = " + to + "."),
                       .grads = shown,
                       .box = static_cast<int>(i),
                       .input = static_cast<int>(k)});
    }
  }
  steps.back().words += " Done: no more arrows.";
  std::string title = "The graph of";
  for (const course::GraphBox& box : boxes) {
    if (!box.inputs.empty()) title += " " + box.words + ",";
  }
  title.back() = '.';
  return live::bytes_of(course::graph_steps(
      "typed_steps", title, "Step by step: the buttons, or the arrow keys.", boxes, steps));
}

const live::Piece piece("steps", {{"gradients", gradients}, {"figure", figure}});

}  // namespace
