#include "tutorials/common/check.h"

#include <algorithm>
#include <map>
#include <random>

#include "tutorials/03_reverse_mode/exercises.h"

using gradus::green;
using gradus::red;
using gradus::run_check;

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

void grad_is(const std::string& what, double got, double right,
             const std::vector<std::pair<double, std::string>>& usual = {}) {
  const auto near = [&](double wanted) {
    return std::abs(got - wanted) <= 1e-9 * std::max(1.0, std::abs(wanted));
  };
  if (near(right)) return;
  char numbers[96];
  std::snprintf(numbers, sizeof numbers, ": got %g, expected %g", got, right);
  for (const auto& [wrong, cause] : usual) {
    if (near(wrong)) red(what + numbers + "\nlikely cause: " + cause);
  }
  red(what + numbers);
}

void diamond() {
  const Value a = number(1), b = number(2), s = a + b, t = s + b, y = s * t;
  my_backward(y);
  grad_is("the chapter's diamond, slope by a", a->grad, 8,
          {{5, "s passed its gradient on before t had passed its share to s"},
           {3, "= in place of +=: s has two users"},
           {16, "what had arrived was passed on again with the next share"},
           {0, "nothing arrived: the result's own gradient is 1"},
           {1, "the slope alone was passed on, not the node's gradient times the slope"}});
  grad_is("the chapter's diamond, slope by b", b->grad, 11);
  my_backward(y);
  grad_is("a second pass, slope by a", a->grad, 16,
          {{27, "nodes that are no leaves must start each pass at 0"},
           {8, "leaves accumulate: their grad must not be set to 0"}});
  grad_is("a second pass, slope by b", b->grad, 22);
  my_backward(a);
  grad_is("a leaf as the result", a->grad, 17,
          {{1, "a leaf accumulates, even if it is the result"}});
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
