/// @file
/// Compares gradients in random graphs, for checks of exercises.
#pragma once

#include <map>
#include <random>

#include "tutorials/03_reverse_mode/exercises.h"
#include "tutorials/common/check.h"

/// The slope of `result` by `start`, from the other end: nodes in the order in which they were
/// made.
inline double slope(const Graph& graph, const Value& result, const Value& start) {
  std::map<const Node*, double> slopes;
  for (const Value& node : graph.nodes) {
    slopes[node.get()] = node == start;
    for (const auto& [input, s] : node->edges) slopes[node.get()] += s * slopes[input.get()];
  }
  return slopes[result.get()];
}

/// Compares the gradients of backward(result) in graphs whose slopes are about `scale`.
inline void try_random_graphs(unsigned count, double scale, const auto& backward) {
  for (unsigned seed = 0; seed < count; ++seed) {
    std::mt19937 random(seed);
    Graph graph;
    for (unsigned i = 0; i < 5 + seed % 8; ++i) {
      std::vector<Edge> edges;
      for (auto k = i == 0 ? 0 : random() % 4; k > 0; --k) {
        const double s = static_cast<double>(random() % 7) / 2 - 1.25;
        edges.push_back({graph.nodes[random() % i], scale * s});
      }
      graph.add(edges);
    }
    const Value& result = graph.nodes[graph.nodes.size() - 1 - seed % 3];
    backward(result);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      gradus::expect_number(gradus::detail::text("random graph ", seed, ", node ", i),
                            graph.nodes[i]->grad, slope(graph, result, graph.nodes[i]));
    }
  }
}
