// rejected: put down on the way down
#include <algorithm>
#include <set>

#include "tutorials/03_reverse_mode/exercises.h"

namespace {

void visit(const Graph& graph, int node, std::set<int>& seen, std::vector<int>& order) {
  if (!seen.insert(node).second) return;
  order.push_back(node);
  for (const Graph::Edge& edge : graph.edges(node)) visit(graph, edge.input, seen, order);
}

}  // namespace

std::vector<int> my_order(const Graph& graph, int result) {
  std::set<int> seen;
  std::vector<int> order;
  visit(graph, result, seen, order);
  std::ranges::reverse(order);
  return order;
}
