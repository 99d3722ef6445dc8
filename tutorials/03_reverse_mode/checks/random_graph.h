/// @file
/// Graphs for the checks of chapter 03.
#pragma once

#include <algorithm>

#include "autograd/more/random.h"
#include "tutorials/03_reverse_mode/exercises.h"

/// `count` nodes with up to three inputs each, numbered as chance will have it.
inline Graph random_graph(std::uint64_t seed, int count) {
  const gradus::RandomKey key{.seed = seed};
  const std::vector<gradus::Index> number = gradus::permutation(count, {.seed = seed, .place = 1});
  gradus::Index draw = 0;
  Graph graph;
  for (int i = 0; i < count; ++i) graph.leaf(0);
  for (int i = 1; i < count; ++i) {
    std::vector<Graph::Edge> edges;
    for (auto k = gradus::uniform_index(key, draw++, 4); k > 0; --k) {
      const auto input = static_cast<std::size_t>(gradus::uniform_index(key, draw++, i));
      const double slope = static_cast<double>(gradus::uniform_index(key, draw++, 7)) / 2 - 1.25;
      edges.push_back({static_cast<int>(number[input]), slope});
    }
    graph.connect(static_cast<int>(number[static_cast<std::size_t>(i)]), edges);
  }
  return graph;
}

/// Each node is p/2 + p/2 of the one before it: 2^count ways lead to node 0, and each node's
/// gradient is 1.
inline Graph tower(int count) {
  Graph graph;
  graph.leaf(0);
  for (int i = 1; i <= count; ++i) {
    graph.leaf(0);
    graph.connect(i, {{i - 1, 0.5}, {i - 1, 0.5}});
  }
  return graph;
}

/// The chapter's graph: a, b, s = a + b, t = s + b, y = s t, for a = 1 and b = 2. y is node 4.
inline Graph diamond() {
  Graph graph;
  const int a = graph.leaf(1), b = graph.leaf(2), s = graph.add(a, b), t = graph.add(s, b);
  graph.multiply(s, t);
  return graph;
}

/// All nodes that can be reached from `result`, nearest first.
inline std::vector<int> met(const Graph& graph, int result) {
  std::vector<int> nodes = {result};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const Graph::Edge& edge : graph.edges(nodes[i])) {
      if (std::ranges::find(nodes, edge.input) == nodes.end()) nodes.push_back(edge.input);
    }
  }
  return nodes;
}
