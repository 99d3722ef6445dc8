/// @file
/// Declarations for the exercises of chapter 03, on the engine of the page.
#pragma once

#include <stdexcept>
#include <vector>

#include "tutorials/03_reverse_mode/engine.h"

using engine::Edge;
using engine::Node;
using engine::number;
using engine::Value;

/// A number and its slope by one input, which is chosen once for a whole computation.
struct Dual {
  double value;
  double slope;
};

/// Nodes without values, freed one by one. A Value frees its node, which frees its inputs from
/// inside: for a chain of a million nodes, that is a million calls deep. Here the edges go first.
struct Graph {
  std::vector<Value> nodes;
  Value add(std::vector<Edge> edges) {
    nodes.push_back(number(0, std::move(edges)));
    return nodes.back();
  }
  ~Graph() {
    for (const Value& node : nodes) node->edges.clear();
  }
};

void my_pass_back(const std::vector<Node*>& order);
Value my_expression(const Value& a, const Value& b);
Value quotient(const Value& a, const Value& b);
Value power(const Value& x, double n);
Dual add(const Dual& a, const Dual& b);
Dual multiply(const Dual& a, const Dual& b);
Dual tanh_of(const Dual& x);
void my_backward(const Value& result);
