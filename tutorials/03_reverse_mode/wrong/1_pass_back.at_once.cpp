// rejected: before it had received everything
#include <set>

#include "tutorials/03_reverse_mode/exercises.h"

void my_pass_back(const std::vector<Node*>& order) {
  std::set<Node*> seen;
  std::vector<Node*> reached = {order.back()};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    Node* const node = reached[i];
    for (const auto& [input, slope] : node->edges) {
      input->grad += node->grad * slope;
      if (seen.insert(input.get()).second) reached.push_back(input.get());
    }
  }
}
