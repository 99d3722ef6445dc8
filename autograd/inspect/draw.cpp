#include "autograd/inspect/draw.h"

#include <sstream>
#include <unordered_map>

#include "autograd/check.h"
#include "autograd/graph.h"

namespace gradus {
using namespace detail;
namespace {

/// Escapes a name for a quoted DOT string.
std::string escaped(const std::string& name) {
  std::string result;
  for (char c : name) {
    if (c == '\n') {
      result += "\\n";
    } else if (static_cast<unsigned char>(c) >= ' ') {
      result += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
    }
  }
  return result;
}

class Drawing {
 public:
  Drawing(const Tensor& y, const TensorNames& names) : result_(y.node().get()) {
    for (const auto& [name, tensor] : names) {
      if (tensor.defined() && tensor.requires_grad()) {
        names_.emplace(tensor.node().get(), name);
      }
    }
    out_ << "digraph {\n  node [fontname=\"Helvetica\"];\n";
    walk();
    out_ << "}\n";
  }

  std::string dot() const { return out_.str(); }

 private:
  /// Draws every node after its inputs. An explicit stack: graphs may be a million nodes deep.
  void walk() {
    std::vector<std::pair<Node*, std::size_t>> stack{{result_, 0}};
    while (!stack.empty()) {
      auto& [node, next] = stack.back();
      if (next < node->inputs.size()) {
        Node* input = node->inputs[next++].get();
        if (input != nullptr && !numbers_.contains(input)) {
          stack.push_back({input, 0});
        }
        continue;
      }
      draw(*node);
      stack.pop_back();
    }
  }

  void draw(Node& node) {
    numbers_.emplace(&node, numbers_.size());
    check(!node.freed, "draw_graph: the graph behind ", node.op, " of shape ", node.shape,
          " was freed by backward() (draw the graph before, or set keep_graph in backward())");
    const auto name = names_.find(&node);
    out_ << "  n" << numbers_[&node] << " [shape=" << (node.is_leaf() ? "box" : "ellipse")
         << (&node == result_ ? ", peripheries=2" : "") << ", label=\""
         << (name == names_.end() ? "" : escaped(name->second) + "\\n")
         << (node.is_leaf() ? "" : escaped(node.op) + "\\n") << node.shape << "\"];\n";
    for (const Ref<Node>& input : node.inputs) {
      if (input) {
        out_ << "  n" << numbers_[input.get()] << " -> n" << numbers_[&node] << ";\n";
      }
    }
  }

  Node* result_;
  std::unordered_map<const Node*, std::string> names_;
  std::unordered_map<const Node*, std::size_t> numbers_;
  std::ostringstream out_;
};

}  // namespace

std::string draw_graph(const Tensor& y, const TensorNames& names) {
  require_defined("draw_graph", {{"y", y}});
  check(y.requires_grad(),
        "draw_graph: the tensor has no graph: no input of it requires a gradient (call "
        "set_requires_grad() on one before using it)");
  return Drawing(y, names).dot();
}

}  // namespace gradus
