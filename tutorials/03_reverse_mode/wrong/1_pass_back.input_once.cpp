// rejected: two edges lead to the same input
#include "tutorials/03_reverse_mode/exercises.h"

void my_pass_back(const std::vector<Node*>& order) {
  for (std::size_t i = order.size(); i-- > 0;) {
    const Node* last = nullptr;
    for (const auto& [input, slope] : order[i]->edges) {
      if (input.get() != last) input->grad += order[i]->grad * slope;
      last = input.get();
    }
  }
}
