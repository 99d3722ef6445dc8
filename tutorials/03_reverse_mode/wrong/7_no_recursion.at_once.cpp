// rejected: before t had passed its share
#include <set>
#include <vector>

#include "tutorials/03_reverse_mode/exercises.h"

void my_backward(const Value& result) {
  std::vector<Node*> reached = {result.get()};
  std::set<Node*> seen = {result.get()};
  result->grad = 1;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    Node* const node = reached[i];
    for (const auto& [input, slope] : node->edges) {
      input->grad += node->grad * slope;
      if (seen.insert(input.get()).second) reached.push_back(input.get());
    }
  }
}
