#include <algorithm>
#include <iterator>

#include "tutorials/03_reverse_mode/checks/random_graph.h"
#include "tutorials/common/check.h"

using namespace gradus;

namespace {

std::string words(const std::vector<int>& nodes) {
  std::string out;
  for (const int node : nodes) out += " " + std::to_string(node);
  return out;
}

std::string words(const Graph& graph) {
  std::string out;
  for (int i = 0; i < graph.size(); ++i) {
    std::vector<int> inputs;
    for (const Graph::Edge& edge : graph.edges(i)) inputs.push_back(edge.input);
    out += "  node " + std::to_string(i) +
           (inputs.empty() ? ": a leaf" : ": inputs" + words(inputs)) + "\n";
  }
  return out;
}

void way_down(const Graph& graph, int node, std::vector<int>& order) {
  if (std::ranges::find(order, node) != order.end()) return;
  order.push_back(node);
  for (const Graph::Edge& edge : graph.edges(node)) way_down(graph, edge.input, order);
}

/// What is wrong with an order, or nothing.
std::string fault(const Graph& graph, int result, const std::vector<int>& order) {
  std::vector<int> reachable = met(graph, result), down;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int node = order[i];
    if (std::ranges::find(reachable, node) == reachable.end()) {
      return "node " + std::to_string(node) + " is there, which the result was not made of";
    }
    if (std::ranges::count(order, node) > 1) {
      return "node " + std::to_string(node) + " is there more than once";
    }
  }
  if (order.size() != reachable.size()) {
    return std::to_string(order.size()) + " nodes, and the result was made of " +
           std::to_string(reachable.size()) + ", itself among them";
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const Graph::Edge& edge : graph.edges(order[i])) {
      if (std::ranges::find(order, edge.input) - order.begin() > std::ptrdiff_t(i)) {
        std::string said = "node " + std::to_string(order[i]) + " stands before its input " +
                           std::to_string(edge.input);
        way_down(graph, result, down);
        std::ranges::reverse(down);
        std::ranges::reverse(reachable);
        if (order == down)
          said +=
              "\nlikely cause: put down on the way down, turned round: a node "
              "must be put down when all its inputs have been";
        else if (order == reachable)
          said +=
              "\nlikely cause: breadth first, turned round: a node that is near on "
              "one way may be far on another";
        return said;
      }
    }
  }
  return "";
}

void check(const char* what, const Graph& graph, int result) {
  const std::vector<int> order = my_order(graph, result);
  if (const std::string wrong = fault(graph, result, order); !wrong.empty()) {
    red(std::string(what) + "\n" + (graph.size() < 20 ? words(graph) : "") + "the result is node " +
        std::to_string(result) + "\ngot" + words(order) + "\n" + wrong);
  }
}

}  // namespace

int main() {
  return run_check([] {
    check("the chapter's graph", diamond(), 4);
    green("the chapter's graph");
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      const Graph graph = random_graph(seed, 5 + static_cast<int>(seed % 8));
      for (const int result : {0, graph.size() - 1}) check("a random graph", graph, result);
    }
    green("300 random graphs, seen from two nodes each");
    check("a tower of 40 sums p/2 + p/2", tower(40), 40);
    green("a graph with 2^40 ways through it");
  });
}
