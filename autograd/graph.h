/// @file
/// The graph that ops record as they run, and the backward pass through it.
///
/// Every tensor that requires a gradient has a Node: the place where that gradient arrives. The
/// node of an op's result also has the nodes of the op's inputs, and the op's closure, which turns
/// its gradient into theirs. It keeps alive what the closure captured and, if the closure takes it,
/// the output.
///
/// The rules of backward():
/// - Leaves accumulate: their gradients are added to what is there, until zero_grad().
/// - Gradients of everything in between live and die with the pass. So does all else that it knows
/// of the nodes: a closure may run passes of its own, over the same nodes too.
/// - The pass frees what it went through. A second pass through that is an error, unless the first
/// kept the graph.
/// - Nothing recurses: graphs may be millions of nodes deep.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "autograd/check.h"
#include "autograd/saved.h"
#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup graph
/// @{

/// One gradient for each input of an op, in their order. An undefined tensor stands for "none".
using Gradients = detail::PooledVector<Tensor>;

struct Wanted;

namespace detail {

/// The closure of an op, its type erased.
struct Closure : Pooled {
  virtual ~Closure() = default;
  virtual Gradients operator()(const Tensor& dy, const Tensor& y, const Wanted& wanted) = 0;
  bool takes_y = false;  // else y is undefined when it is called
};

template <class F>
struct ClosureOf final : Closure {
  template <class... Args>
  static constexpr bool kTakes = std::is_invocable_v<F&, const Tensor&, const Args&...>;
  explicit ClosureOf(F f) : f(std::move(f)) { takes_y = kTakes<Tensor> || kTakes<Tensor, Wanted>; }
  Gradients operator()(const Tensor& dy, const Tensor& y, const Wanted& wanted) override {
    constexpr bool kTakesMore = kTakes<Tensor, Wanted> || kTakes<Tensor> || kTakes<Wanted>;
    if constexpr (kTakes<Tensor, Wanted>) return f(dy, y, wanted);
    if constexpr (kTakes<Tensor>) return f(dy, y);
    if constexpr (kTakes<Wanted>) return f(dy, wanted);
    if constexpr (!kTakesMore) return f(dy);
  }
  F f;
};

/// Called after each op and after each step of a backward pass: see inspect/profile.h.
struct Observer {
  virtual void forward(const char* op, std::span<const Tensor> inputs, const Tensor& y) = 0;
  virtual void backward(const char* op, const Tensor& dy, std::span<const Tensor> gradients) = 0;
};
extern constinit thread_local Observer* observer;  // of this thread, or nullptr
extern constinit thread_local bool recording;

}  // namespace detail

/// Where the gradient of one tensor arrives, and how it goes on from there.
struct Node : detail::Pooled {
  /// The node of a leaf.
  explicit Node(const Shape& shape) : shape(shape) {}
  /// The node of `y`, the result of `op` on `inputs`. `op` must outlive it: pass a literal.
  Node(const char* op, const Tensor& y, std::span<const Tensor> inputs,
       std::unique_ptr<detail::Closure> closure);
  /// Whether it collects gradients: no op made its tensor.
  bool is_leaf() const { return closure == nullptr && !freed; }
  /// Lets go of the inputs and of all that was saved.
  void free() {
    freed = true;
    inputs = {};
    closure = nullptr;
    y = Tensor();
  }

  const char* op = "leaf";                   ///< the name of the op
  Shape shape;                               ///< of the tensor, and so of its gradient
  Tensor grad;                               ///< what a leaf has collected so far
  detail::PooledVector<Ref<Node>> inputs;    ///< an empty Ref for one that wants no gradient
  std::unique_ptr<detail::Closure> closure;  ///< the output's gradient to those of the inputs
  Saved<Tensor> y;                           ///< the output, detached, if the closure takes it
  bool freed = false;                        ///< by a pass
  int refs = 0;                              ///< its owners: see Ref
  std::size_t position_hint = 0;  ///< in the last pass that visited it, which passes check
  Node* next_dying = nullptr;     ///< in the list that destroy() works off
};

/// What a pass wants of the closure that it calls.
struct Wanted {
  /// Whether the gradient of input i is wanted; another's need not be computed.
  bool operator[](std::size_t i) const { return i < nodes.size() && nodes[i] != nullptr; }
  /// The shape of input i, if its gradient is wanted.
  const Shape& shape(std::size_t i) const { return nodes[i]->shape; }

  std::span<Node* const> nodes = {};  ///< those of the inputs; nullptr where nothing is wanted
  /// If set, the gradient of input 0 so far, which nobody else holds. A closure may add its part
  /// there and return none: T slices of a tensor cost as much as one, not T times.
  const Tensor* sum = nullptr;
};

/// Whether ops record what they do. True at first; see NoGrad.
inline bool is_recording() { return detail::recording; }

/// While one of these exists, ops on this thread record, or do not.
struct RecordingScope {
  /// Switches recording on or off; the end of the scope puts back what was.
  [[nodiscard]] explicit RecordingScope(bool on) : before(std::exchange(detail::recording, on)) {}
  ~RecordingScope() { detail::recording = before; }
  RecordingScope(const RecordingScope&) = delete;
  const bool before;  ///< whether they did outside of it
};

/// While one of these exists, ops on this thread record nothing.
/// @code
/// { NoGrad no_grad; y = model(x); }  // y has no graph
/// @endcode
struct NoGrad : RecordingScope {
  [[nodiscard]] NoGrad() : RecordingScope(false) {}
};

/// Whether `x` is defined and requires a gradient: what an op asks before it computes one.
inline bool wants_gradient(const Tensor& x) { return x.defined() && x.requires_grad(); }

/// What an op saves of `x` if nothing but the gradient of `other` needs it: x, or nothing.
inline Saved<Tensor> saved_for(const Tensor& other, const Tensor& x) {
  return wants_gradient(other) ? x : Tensor();
}

/// Records that `op` made `y` out of `inputs`, and returns `y` with its node. `y` must be new: a
/// tensor that only the op has. An input may be undefined, for an optional argument that is absent.
/// Nothing is recorded, and `y` returned as it is, if no input requires a gradient or under NoGrad.
///
/// `closure` is called as closure(dy), closure(dy, y), closure(dy, wanted) or closure(dy, y,
/// wanted), by what it takes; it returns the Gradients of the inputs, each of its input's shape and
/// undefined for those that are not Wanted. What it captures is what the op saves, as Saved; never
/// `y`, whose node owns it: that would be a cycle, never freed. When written in tensor ops,
/// gradients of gradients work.
template <class F>
Tensor record(const char* op, Tensor y, std::span<const Tensor> inputs, F closure) {
  if (is_recording() && std::any_of(inputs.begin(), inputs.end(), wants_gradient)) {
    const auto is_y = [&](const Tensor& x) { return x.defined() && &x.shape() == &y.shape(); };
    detail::check(!y.requires_grad() && std::none_of(inputs.begin(), inputs.end(), is_y), op,
                  ": y must be new, not an input (clone() it)");
    auto pooled = std::make_unique<detail::ClosureOf<F>>(std::move(closure));
    detail::set_node(y, Ref(new Node(op, y, inputs, std::move(pooled))));
  }
  if (detail::observer != nullptr) [[unlikely]] {
    detail::observer->forward(op, inputs, y);
  }
  return y;
}

/// The same with the inputs in braces.
template <class F>
Tensor record(const char* op, Tensor y, std::initializer_list<Tensor> inputs, F closure) {
  return record(op, std::move(y), std::span(inputs.begin(), inputs.size()), std::move(closure));
}

/// Adds d output / d leaf to the gradient of every leaf that `output` was computed from.
/// @param output a tensor with one element, or any tensor if `gradient` is given.
/// @param gradient d loss / d output, of output's shape; 1 if absent.
/// @param keep_graph leaves the graph in place for another pass.
/// @throws std::invalid_argument if output has no graph, a freed one, or more than one element.
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
/// @throws std::invalid_argument as backward() does, or if an input wants no gradient.
std::vector<Tensor> grad(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                         const GradOptions& options = {});

/// @}

}  // namespace gradus
