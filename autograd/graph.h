/// @file
/// The graph that ops record as they run, and the backward pass through it.
///
/// Every tensor that requires a gradient has a Node, where that gradient arrives. The node of an
/// op's result also holds the nodes of the op's inputs, and the rules that turn its gradient into
/// the gradients of the inputs.
///
/// The rules of backward():
/// - Leaves accumulate: their gradients are added to what is there, until zero_grad().
/// - Gradients of everything in between live and die with the pass. So does all else that it knows
/// of the nodes: a closure may run passes of its own, over the same nodes too.
/// - A pass frees what it went through, unless it keeps the graph; a second one there is an error.
/// - Nothing recurses: graphs may be millions of nodes deep.
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
  /// The node of `y`, the result of `op`, which must outlive it: pass a literal.
  Node(const char* op, const Tensor& y, std::span<const Tensor> inputs,
       std::unique_ptr<detail::Closure> closure, bool takes_y);
  /// Whether it collects gradients: no op made its tensor.
  bool is_leaf() const { return closure == nullptr && !freed; }
  /// Lets go of the inputs and of all that was saved.
  void free() {
    freed = true;
    inputs = decltype(inputs)();  // assigned {}, it would keep its memory
    closure = nullptr;
    y = Tensor();
  }

  const char* op = "leaf";                   ///< the name of the op
  Shape shape;                               ///< of the tensor, and so of its gradient
  Tensor grad;                               ///< what a leaf has collected so far
  detail::PooledVector<Ref<Node>> inputs;    ///< an empty Ref for one that wants no gradient
  std::unique_ptr<detail::Closure> closure;  ///< turns y's gradient into the inputs'
  Saved<Tensor> y;                           ///< the output, detached, if the closure takes it
  bool freed = false;                        ///< by a pass
  int refs = 0;                              ///< its owners: see Ref
  std::size_t position_hint = 0;  ///< of its step in the pass that sorted it last: see Pass
  Node* next_dying = nullptr;     ///< in the list that destroy() works off
};

/// Records that `op` made `y` out of `inputs`, and returns `y` with its node, which keeps `rules`:
/// one gradient rule for each input, or one closure for all (see closure.h). `y` must be new: a
/// tensor that only the op has. An input may be undefined, for an optional argument that is absent.
/// If no input requires a gradient, or under NoGrad, it records nothing and returns `y` unchanged.
/// @throws std::invalid_argument if y is not new, or the number of rules is not that of the inputs.
template <class... F>
Tensor record(const char* op, Tensor y, std::span<const Tensor> inputs, F... rules) {
  if (is_recording() && std::any_of(inputs.begin(), inputs.end(), wants_gradient)) {
    // The same body, and so the same tensor, has its shape at the same address.
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

/// Records with the inputs in braces.
template <class... F>
Tensor record(const char* op, Tensor y, std::initializer_list<Tensor> inputs, F... rules) {
  return record(op, std::move(y), std::span(inputs.begin(), inputs.size()), std::move(rules)...);
}

/// Adds d output / d leaf to the gradient of every leaf that `output` was computed from.
/// @param output a tensor with one element, or any tensor if `gradient` is given.
/// @param gradient d loss / d output, of output's shape; 1 if absent.
/// @param keep_graph leaves the graph in place for another pass.
/// @throws std::invalid_argument if output has no graph or a freed one, or `gradient` does not fit.
void backward(const Tensor& output, const Tensor& gradient = Tensor(), bool keep_graph = false);

/// Options of grad().
struct GradOptions {
  bool create_graph = false;  ///< record the pass itself, so that its results can be differentiated
  bool keep_graph = false;    ///< leave the graph in place; create_graph implies it
  std::vector<Tensor> gradients = {};  ///< d loss / d output for each output; ones if absent
};

/// The gradients of the sum of `outputs` with respect to `inputs`, which may be leaves or in
/// between. Collects nothing in leaves and calls only the closures that lead to `inputs`; but none
/// of the graph behind the outputs may be freed. An input that the outputs do not depend on gets
/// zeros. Results may share elements: clone() what you change.
/// @throws std::invalid_argument as backward() does of each output, or if an input requires none.
std::vector<Tensor> grad(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                         const GradOptions& options = {});

/// @}

}  // namespace gradus
