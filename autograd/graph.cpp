#include "autograd/graph.h"

#include "autograd/check.h"

namespace gradus {
using namespace detail;

constinit thread_local detail::Observer* detail::observer = nullptr;
constinit thread_local bool detail::recording = true;
constinit thread_local const char* detail::running_op = nullptr;

void detail::fail_changed(const Shape& shape) {
  fail("backward: ", running_op != nullptr ? running_op : "an op", " saved a tensor of shape ",
       shape, " that was changed since (change it after backward(), or give the op a clone())");
}

Node::Node(const char* op, const Tensor& y, std::span<const Tensor> inputs,
           std::unique_ptr<detail::Closure> closure)
    : op(op), shape(y.shape()), closure(std::move(closure)) {
  this->inputs.reserve(inputs.size());
  for (const Tensor& x : inputs) this->inputs.push_back(wants_gradient(x) ? x.node() : Ref<Node>());
  if (this->closure->takes_y) this->y = y.detach();
}

void destroy(Node* node) {
  // A dying node lets go of its inputs, whose nodes may then die in turn. A list in place of
  // recursion: a chain may be a million nodes long.
  thread_local Node* dying = nullptr;
  thread_local bool draining = false;
  node->next_dying = std::exchange(dying, node);
  if (!std::exchange(draining, true)) {
    while (dying != nullptr) {
      delete std::exchange(dying, dying->next_dying);
    }
    draining = false;
  }
}

}  // namespace gradus
