#include "tutorials/common/check.h"

#include <algorithm>
#include <map>
#include <random>

#include "tutorials/03_reverse_mode/exercises.h"

using gradus::green, gradus::red, gradus::run_check;

namespace {

/// From the other end: the slope of every node by `start`, in the order in which nodes were made.
double slope(const Graph& graph, const Value& result, const Value& start) {
  std::map<const Node*, double> slopes;
  for (const Value& node : graph.nodes) {
    slopes[node.get()] = node == start;
    for (const auto& [input, s] : node->edges) slopes[node.get()] += s * slopes[input.get()];
  }
  return slopes[result.get()];
}

void grad_is(const std::string& what, double got, double right) {
  gradus::expect_number(what, got, right);
}

void diamond() {
  const Value a = number(1), b = number(2), s = a + b, t = s + b, y = s * t;
  my_backward(y);
  grad_is("the chapter's diamond, slope by a", a->grad, 8);
  grad_is("the chapter's diamond, slope by b", b->grad, 11);
  my_backward(y);
  grad_is("a second pass, slope by a", a->grad, 16);
  grad_is("a second pass, slope by b", b->grad, 22);
  my_backward(a);
  grad_is("a leaf as the result", a->grad, 17);
}

void random_graphs() {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    Graph graph;
    for (unsigned i = 0; i < 5 + seed % 8; ++i) {
      std::vector<Edge> edges;
      for (auto k = i == 0 ? 0 : random() % 4; k > 0; --k) {
        edges.push_back({graph.nodes[random() % i], static_cast<double>(random() % 7) / 2 - 1.25});
      }
      graph.add(edges);
    }
    const Value& result = graph.nodes[graph.nodes.size() - 1 - seed % 3];
    my_backward(result);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      grad_is("random graph " + std::to_string(seed) + ", node " + std::to_string(i),
              graph.nodes[i]->grad, slope(graph, result, graph.nodes[i]));
    }
  }
}

void tower() {
  Graph graph;
  const Value leaf = graph.add({});
  for (int i = 0; i < 25; ++i) graph.add({{graph.nodes.back(), 0.5}, {graph.nodes.back(), 0.5}});
  my_backward(graph.nodes.back());
  grad_is("a tower of 25 sums p/2 + p/2", leaf->grad, 1);
}

void chain() {
  Graph graph;
  const Value leaf = graph.add({});
  for (int i = 0; i < 1000000; ++i) graph.add({{graph.nodes.back(), 1}});
  my_backward(graph.nodes.back());
  grad_is("a chain of a million nodes", leaf->grad, 1);
}

}  // namespace

int main() {
  return run_check([] {
    diamond();
    green("the chapter's diamond, twice");
    random_graphs();
    green("200 random graphs");
    tower();
    green("a tower with 2^25 paths through it");
    std::cout << "next: a chain of a million nodes; a crash here means recursion" << std::endl;
    chain();
    green("a chain of a million nodes");
  });
}
