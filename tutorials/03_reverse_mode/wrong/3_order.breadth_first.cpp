// rejected: breadth first, turned round
#include <algorithm>
#include <set>

#include "tutorials/03_reverse_mode/exercises.h"

std::vector<int> my_order(const Graph& graph, int result) {
  std::vector<int> order = {result};
  std::set<int> seen = {result};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const Graph::Edge& edge : graph.edges(order[i])) {
      if (seen.insert(edge.input).second) order.push_back(edge.input);
    }
  }
  std::ranges::reverse(order);
  return order;
}
