// The backward pass of chapter 04 with rules that can be broken.
#pragma once

#include <set>

#include "pocket/graph.h"

namespace pocket {

// [pass]
struct Rules {
  bool in_place = false, one_turn = false;
};

// backward() that frees nothing. Returns the number of closures that it called.
inline int pass(const Tensor& output, Rules rules = {}) {
  const NoGrad no_grad;
  const auto add = [=](Tensor& sum, const Tensor& dy) {
    if (!rules.in_place || !sum.defined()) return add_to(sum, dy);
    for (Index i = 0; i < dy.size(); ++i) sum.mutable_data()[i] += dy.data()[i];
  };
  const auto newer = [](const auto& a, const auto& b) { return a->number > b->number; };
  std::map<std::shared_ptr<Node>, Tensor, decltype(newer)> arrived;
  std::set<Node*> done;
  int closures = 0;
  arrived[output.node()] = ones(output.shape());
  while (!arrived.empty()) {
    const auto next = arrived.extract(arrived.begin());
    Node& node = *next.key();
    if (node.is_leaf()) {
      add(node.grad, next.mapped());
    } else if (done.insert(&node).second || !rules.one_turn) {
      ++closures;
      const Gradients gradients = node.closure(next.mapped());
      for (std::size_t i = 0; i < gradients.size(); ++i) {
        if (node.inputs[i]) add(arrived[node.inputs[i]], gradients[i]);
      }
    }
  }
  return closures;
}
// [pass]

}  // namespace pocket
