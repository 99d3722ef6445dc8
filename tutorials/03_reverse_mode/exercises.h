/// @file
/// What the exercises of chapter 03 ask for, and the graph that they work on.
#pragma once

#include <cmath>
#include <stdexcept>
#include <vector>

/// What an op hands to the engine: its value, and its slope by each of its inputs.
struct Made {
  double value;
  std::vector<double> slopes;
};

/// A graph of numbers as a list: nodes are named by their place in it.
class Graph {
 public:
  /// One input of a node, and the node's slope by it.
  struct Edge {
    int input;
    double slope;
  };

  /// A node without inputs.
  int leaf(double value) { return made(value, {}); }
  /// The node a + b.
  int add(int a, int b) { return made(value(a) + value(b), {{a, 1}, {b, 1}}); }
  /// The node a b.
  int multiply(int a, int b) { return made(value(a) * value(b), {{a, value(b)}, {b, value(a)}}); }
  /// Gives a node other inputs, whose places may be behind it.
  void connect(int node, std::vector<Edge> edges) { edges_.at(at(node)) = std::move(edges); }

  /// The number of nodes.
  int size() const { return static_cast<int>(values_.size()); }
  double value(int node) const { return values_.at(at(node)); }
  /// The inputs of a node. Looked at far more often than there are nodes, it throws.
  const std::vector<Edge>& edges(int node) const {
    if (++looks_ > 1000L * size()) {
      throw std::runtime_error(
          "looked at the edges a thousand times for each node: a node that is "
          "reached on many ways must be visited once");
    }
    return edges_.at(at(node));
  }

 private:
  static std::size_t at(int node) { return static_cast<std::size_t>(node); }
  int made(double value, std::vector<Edge> edges) {
    values_.push_back(value);
    edges_.push_back(std::move(edges));
    return size() - 1;
  }

  std::vector<double> values_;
  std::vector<std::vector<Edge>> edges_;
  mutable long looks_ = 0;
};

Made my_product(double a, double b);
Made my_tanh(double x);
int my_expression(Graph& graph, int a, int b);
std::vector<int> my_order(const Graph& graph, int result);
std::vector<double> my_gradients(const Graph& graph, int result);
