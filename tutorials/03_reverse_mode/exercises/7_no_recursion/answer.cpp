// A stack of our own: each entry is a node and how many of its inputs have been visited.
#include <set>
#include <vector>

#include "tutorials/03_reverse_mode/exercises.h"

void my_backward(const Value& result) {
  std::set<Node*> seen = {result.get()};
  std::vector<std::pair<Node*, std::size_t>> stack = {{result.get(), 0}};
  std::vector<Node*> order;
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    if (next == node->edges.size()) {
      if (!node->edges.empty()) node->grad = 0;
      order.push_back(node);
      stack.pop_back();
      continue;
    }
    Node* const input = node->edges[next++].input.get();
    if (seen.insert(input).second) stack.emplace_back(input, 0);
  }
  result->grad += 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    for (const auto& [input, slope] : order[i]->edges) input->grad += order[i]->grad * slope;
  }
}
