// rejected: the result was not made of
#include "tutorials/03_reverse_mode/exercises.h"

std::vector<int> my_order(const Graph& graph, int) {
  std::vector<int> order;
  for (int node = 0; node < graph.size(); ++node) order.push_back(node);
  return order;
}
