#include "autograd/graph.h"

namespace gradus {

Node::Node(const char* op, const Tensor& y, std::span<const Tensor> inputs,
           std::unique_ptr<detail::Closure> closure, bool takes_y)
    : op(op), shape(y.shape()), closure(std::move(closure)), y(takes_y ? y.detach() : Tensor()) {
  this->inputs.reserve(inputs.size());
  for (const Tensor& x : inputs) this->inputs.push_back(wants_gradient(x) ? x.node() : Ref<Node>());
}

void destroy(Node* node) {
  // Deleting a node releases its inputs, whose nodes may then have to be deleted too. A list
  // replaces recursion, because a chain may be a million nodes long.
  thread_local Node* dying = nullptr;
  thread_local bool draining = false;
  node->next_dying = std::exchange(dying, node);
  if (std::exchange(draining, true)) return;
  while (dying != nullptr) delete std::exchange(dying, dying->next_dying);
  draining = false;
}

}  // namespace gradus
