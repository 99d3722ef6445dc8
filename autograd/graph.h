/// @file
/// The graph that ops record as they run, and the backward pass through it.
///
/// Every tensor that requires a gradient has a Node, where that gradient arrives. The node of an
/// op's result also holds the nodes of the op's inputs, and the rules that turn the gradient of the
/// result into the gradients of the inputs.
///
/// The rules of backward():
/// - Leaves accumulate: each pass adds to their gradients, until zero_grad().
/// - The gradients of all other tensors exist only during the pass. So does everything that the
/// pass stores about nodes, because a closure may run another pass, even over the same nodes.
/// - A pass frees the nodes that it visits, unless it keeps the graph. A second pass over them is
/// an error.
/// - No function recurses: graphs may be millions of nodes deep.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "autograd/check.h"
#include "autograd/closure.h"
#include "autograd/recording.h"
#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup graph
/// @{

/// Holds the gradient of one tensor, and the rules that turn it into the gradients of the inputs.
struct Node : detail::Pooled {
  /// The node of a leaf.
  explicit Node(const Shape& shape) : shape(shape) {}
  /// The node of `y`, the result of `op`. The string `op` must outlive the node: pass a literal.
  Node(const char* op, const Tensor& y, std::span<const Tensor> inputs,
       std::unique_ptr<detail::Closure> closure, bool takes_y);
  /// Whether this is the node of a leaf: no op made its tensor, so it collects gradients.
  bool is_leaf() const { return closure == nullptr && !freed; }
  /// Releases the inputs and everything that was saved.
  void free() {
    freed = true;
    inputs = decltype(inputs)();  // assigning {} would keep the memory
    closure = nullptr;
    y = Tensor();
  }

  const char* op = "leaf";                   ///< the name of the op
  Shape shape;                               ///< of the tensor and of its gradient
  Tensor grad;                               ///< the gradient that a leaf has collected so far
  detail::PooledVector<Ref<Node>> inputs;    ///< their nodes; empty if no gradient is required
  std::unique_ptr<detail::Closure> closure;  ///< turns y's gradient into the inputs' gradients
  Saved<Tensor> y;                           ///< the output, detached, if the closure takes it
  bool freed = false;                        ///< whether a pass has freed it
  int refs = 0;                              ///< the number of owners: see Ref
  std::size_t position_hint = 0;  ///< the position of its step in the last pass: see Pass
  Node* next_dying = nullptr;     ///< the next one in the list of destroy()
};

/// Records that `op` computed `y` from `inputs`, and returns `y` with its node. The node keeps
/// `rules`: one gradient rule for each input, or one closure for all (see closure.h). `y` must be a
/// new tensor, to which only the op has a handle. An input may be undefined: an optional argument
/// that is absent. If no input requires a gradient, or under NoGrad, it records nothing and returns
/// `y` unchanged.
/// @throws std::invalid_argument if y is not new, or the number of rules is not the number of
/// inputs.
template <class... F>
Tensor record(const char* op, Tensor y, std::span<const Tensor> inputs, F... rules) {
  if (is_recording() && std::any_of(inputs.begin(), inputs.end(), wants_gradient)) {
    // Handles of the same tensor have the same body, and so its shape at the same address.
    const auto is_y = [&](const Tensor& x) { return x.defined() && &x.shape() == &y.shape(); };
    detail::check(!y.requires_grad() && std::none_of(inputs.begin(), inputs.end(), is_y), op,
                  ": y must be new, not an input (clone() it)");
    auto closure = detail::closure_of(op, inputs, std::move(rules)...);
    const bool takes_y = closure->takes_y();
    detail::set_node(y, Ref(new Node(op, y, inputs, std::move(closure), takes_y)));
  }
  if (detail::observer != nullptr) [[unlikely]] {
    detail::observer->forward(op, inputs, y);
  }
  return y;
}

/// The same, with the inputs in braces.
template <class... F>
Tensor record(const char* op, Tensor y, std::initializer_list<Tensor> inputs, F... rules) {
  return record(op, std::move(y), std::span(inputs.begin(), inputs.size()), std::move(rules)...);
}

/// Adds d output / d leaf to the gradient of every leaf that `output` was computed from.
/// @param output a tensor with one element, or any tensor if `gradient` is given.
/// @param gradient d loss / d output, with output's shape; 1 if absent.
/// @param keep_graph keeps the graph for another pass.
/// @throws std::invalid_argument if output has no graph or a freed one, or `gradient` does not fit.
void backward(const Tensor& output, const Tensor& gradient = Tensor(), bool keep_graph = false);

/// Options of grad().
struct GradOptions {
  bool create_graph = false;  ///< record the pass itself, so that its results can be differentiated
  bool keep_graph = false;    ///< keep the graph for another pass; create_graph implies it
  std::vector<Tensor> gradients = {};  ///< d loss / d output for each output; ones if absent
};

/// Returns the gradients of the sum of `outputs` with respect to `inputs`, which may be leaves or
/// results of ops. Leaves collect nothing. Only the closures that lead to `inputs` are called, but
/// no part of the graph behind the outputs may have been freed. If the outputs do not depend on an
/// input, its gradient is zero. Results may share elements: clone() a result before you change it.
/// @throws std::invalid_argument as backward() does for each output, or if an input requires no
/// gradient.
std::vector<Tensor> grad(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                         const GradOptions& options = {});

/// @}

}  // namespace gradus
