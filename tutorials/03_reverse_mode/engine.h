// The engine of chapter 03: numbers that remember how they were computed.
#pragma once

#include <cmath>
#include <memory>
#include <set>
#include <vector>

namespace engine {

// [value]
struct Node;
using Value = std::shared_ptr<Node>;

// An input of a node, and the slope of the node by that input.
struct Edge {
  Value input;
  double slope;
};

// A number that remembers how it was computed.
struct Node {
  double value;
  std::vector<Edge> edges = {};  // none: a leaf
  double grad = 0;               // the result's slope by this number, after backward()
};

inline Value number(double value, std::vector<Edge> edges = {}) {
  return std::make_shared<Node>(Node{value, std::move(edges)});
}
// [value]

// [ops]
inline Value operator+(const Value& a, const Value& b) {
  return number(a->value + b->value, {{a, 1}, {b, 1}});
}
inline Value operator-(const Value& a, const Value& b) {
  return number(a->value - b->value, {{a, 1}, {b, -1}});
}
inline Value operator*(const Value& a, const Value& b) {
  return number(a->value * b->value, {{a, b->value}, {b, a->value}});
}
inline Value tanh(const Value& x) {
  const double y = std::tanh(x->value);
  return number(y, {{x, 1 - y * y}});
}
// [ops]

// [order]
inline void visit(const Value& node, std::set<Node*>& seen, std::vector<Node*>& order) {
  if (!seen.insert(node.get()).second) return;  // reached before, by another path
  for (const Edge& edge : node->edges) visit(edge.input, seen, order);
  order.push_back(node.get());
}

// Every node that `result` depends on, each after its inputs; `result` is the last.
inline std::vector<Node*> order_of(const Value& result) {
  std::set<Node*> seen;
  std::vector<Node*> order;
  visit(result, seen, order);
  return order;
}
// [order]

// [pass_back]
// From the result, the last of the order, to the leaves: what each node passes to its inputs.
inline void pass_back(const std::vector<Node*>& order) {
  for (std::size_t i = order.size(); i-- > 0;) {
    for (const auto& [input, slope] : order[i]->edges) input->grad += order[i]->grad * slope;
  }
}
// [pass_back]

// [backward]
// Adds the slope of `result` by each leaf to that leaf's grad.
inline void backward(const Value& result) {
  const std::vector<Node*> order = order_of(result);
  for (Node* node : order) {
    if (!node->edges.empty()) node->grad = 0;  // only leaves keep theirs from pass to pass
  }
  result->grad += 1;  // the slope of the result by itself; += because it may be a leaf
  pass_back(order);
}
// [backward]

}  // namespace engine
