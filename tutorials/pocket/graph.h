//! [04 Node]
// The graph that ops record, and the backward pass through it.
#pragma once

#include <map>

#include "tensor.h"

namespace pocket {

/// One gradient for each input of an op, in order.
using Gradients = std::vector<Tensor>;

inline Index nodes_made = 0;

/// Receives a tensor's gradient, and passes gradients on to the inputs of the tensor's op.
struct Node {
  const char* op = "leaf";
  Shape shape = {};                                         // of the tensor and its gradient
  std::vector<std::shared_ptr<Node>> inputs = {};           // nullptr: needs no gradient
  std::function<Gradients(const Tensor& dy)> closure = {};  // to the inputs' gradients
  Index number = nodes_made++;                              // an input's number is lower
  bool freed = false;                                       // by a backward pass
  Tensor grad = {};                                         // what a leaf has collected
  bool is_leaf() const { return closure == nullptr && !freed; }
};
//! [04 Node]

//! [04 leaf]
inline Tensor& Tensor::set_requires_grad(bool wanted) {
  node_ = wanted ? std::shared_ptr<Node>(new Node{.shape = shape_}) : nullptr;
  return *this;
}
inline Tensor Tensor::grad() const {
  check(requires_grad() && node_->is_leaf(), "grad: only a leaf collects a gradient");
  return node_->grad;
}
inline void Tensor::zero_grad() {
  if (node_) node_->grad = Tensor();
}
//! [04 leaf]

//! [04 record]
inline bool recording = true;

/// While one of these exists, ops record nothing.
struct NoGrad {
  NoGrad() { recording = false; }
  ~NoGrad() { recording = before; }
  const bool before = recording;  // set before the constructor's body
};

/// Returns y with a node. `op` made y from the inputs; the closure turns dy into their gradients.
inline Tensor record(const char* op, const Tensor& y, const std::vector<Tensor>& inputs,
                     std::function<Gradients(const Tensor& dy)> closure) {
  std::vector<std::shared_ptr<Node>> nodes;
  for (const Tensor& x : inputs) nodes.push_back(x.node());
  if (!recording || std::count(nodes.begin(), nodes.end(), nullptr) == std::ssize(nodes)) return y;
  return Tensor(y, y.shape(), std::shared_ptr<Node>(new Node{op, y.shape(), nodes, closure}));
}
//! [04 record]

//! [04 backward]
inline void add_to(Tensor& sum, const Tensor& dy) {
  sum = sum.defined() ? elementwise("sum", sum, dy, std::plus<Scalar>()) : dy;
}

/// Adds d output / d leaf to the gradient of each leaf that the output was computed from.
inline void backward(const Tensor& output, const Tensor& gradient = Tensor()) {
  check(output.requires_grad(), "backward: the output was not computed from a leaf");
  const Tensor dy = gradient.defined() || output.size() > 1 ? gradient : ones(output.shape());
  check(dy.shape() == output.shape(), "backward: ", output.shape(), " needs a gradient of that ",
        "shape, got ", dy.shape(), " (call sum() first, or pass a gradient)");
  const NoGrad no_grad;  // the closures compute with tensors, too
  const auto newer = [](const auto& a, const auto& b) { return a->number > b->number; };
  std::map<std::shared_ptr<Node>, Tensor, decltype(newer)> arrived;  // the newest node first
  arrived[output.node()] = dy;
  while (!arrived.empty()) {  // all users of the newest node are done: its gradient is complete
    const auto newest = arrived.extract(arrived.begin());
    Node& node = *newest.key();
    check(!node.freed, "backward: an earlier pass has freed ", node.op, " ", node.shape);
    if (node.is_leaf()) {
      add_to(node.grad, newest.mapped());
      continue;
    }
    //! [04.1]
    const Gradients gradients = node.closure(newest.mapped());
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      const std::shared_ptr<Node>& input = node.inputs.at(i);
      if (!input) continue;
      check(gradients[i].shape() == input->shape, node.op, ": gradient ", i, " has shape ",
            gradients[i].shape(), ", its input ", input->shape);
      add_to(arrived[input], gradients[i]);
    }
    //! [04.1]
    node.freed = true;  // the tensors that the op saved go with the closure
    node.inputs.clear();
    node.closure = nullptr;
  }
}

}  // namespace pocket
//! [04 backward]
