// Backwards through the order, so that a node has received everything before it passes it on.
#include "tutorials/03_reverse_mode/exercises.h"

void my_pass_back(const std::vector<Node*>& order) {
  for (std::size_t i = order.size(); i-- > 0;) {
    for (const auto& [input, slope] : order[i]->edges) input->grad += order[i]->grad * slope;
  }
}
