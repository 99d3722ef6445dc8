// The two faulty engines of chapter 03.
#pragma once

#include "tutorials/03_reverse_mode/engine.h"

namespace engine {

// backward() with = in place of +=, as if only one edge led to each node.
inline void backward_assigning(const Value& result) {
  const std::vector<Node*> order = order_of(result);
  result->grad = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    for (const auto& [input, slope] : order[i]->edges) input->grad = order[i]->grad * slope;
  }
}

// backward() without the order: each node passes its gradient on as soon as it is reached.
inline void backward_at_once(const Value& result) {
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

}  // namespace engine
