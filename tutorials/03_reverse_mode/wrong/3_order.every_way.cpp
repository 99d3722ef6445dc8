// rejected: is there more than once
#include "tutorials/03_reverse_mode/exercises.h"

namespace {

void visit(const Graph& graph, int node, std::vector<int>& order) {
  for (const Graph::Edge& edge : graph.edges(node)) visit(graph, edge.input, order);
  order.push_back(node);
}

}  // namespace

std::vector<int> my_order(const Graph& graph, int result) {
  std::vector<int> order;
  visit(graph, result, order);
  return order;
}
