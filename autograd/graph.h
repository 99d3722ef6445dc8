/// @file
/// The graph that ops record as they run, and the walk back through it.
///
/// Every tensor that wants a gradient has a Node: the place where that gradient arrives. The node
/// of an op's result also knows the nodes of the op's inputs and how to turn its gradient into
/// theirs. A node does not keep tensors alive beyond what its op saved for this purpose.
///
/// The rules of backward():
/// - Leaves accumulate: their gradients are added to what is there, until zero_grad().
/// - Gradients of everything in between live and die with the pass. So does all else that it knows
/// of the nodes: a backward may run passes of its own, over the same nodes too.
/// - The pass frees what it went through. A second pass through that is an error, unless the first
/// kept the graph.
/// - Nothing recurses: graphs may be millions of nodes deep.
#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "autograd/inspect/profile.h"
#include "autograd/kernels/allocator.h"
#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup graph
/// @{

/// One gradient for each input of an op, in their order. An undefined tensor stands for "none".
class Gradients {
 public:
  /// Up to four gradients.
  template <class... Tensors>
  requires(sizeof...(Tensors) <= 4 && (std::is_convertible_v<Tensors, Tensor> && ...))
      Gradients(Tensors&&... gradients)  // NOLINT(google-explicit-constructor)
      : few_{Tensor(std::forward<Tensors>(gradients))...}, count_(sizeof...(Tensors)) {}
  /// Any number of gradients.
  explicit Gradients(std::vector<Tensor> gradients)
      : many_(std::move(gradients)), count_(many_.size()) {}

  /// How many there are.
  std::size_t size() const { return count_; }
  /// That of input number i.
  Tensor& operator[](std::size_t i) { return many_.empty() ? few_[i] : many_[i]; }

 private:
  std::array<Tensor, 4> few_;
  std::vector<Tensor> many_;  // used when there may be more than four
  std::size_t count_;
};

struct Wanted;

/// Where the gradient of one tensor arrives, and how it goes on from there.
struct Node {
  /// A node of `op`, a name that outlives it, for a tensor of this shape.
  Node(const char* op, const Shape& shape) : op(op), shape(shape) {}
  virtual ~Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  /// The nodes of the op's inputs; an empty Ref for an input that wants no gradient.
  virtual std::span<Ref<Node>> inputs() { return {}; }
  /// The gradients of the inputs, given that of the output.
  virtual Gradients backward(const Tensor& /*dy*/, const Wanted& /*wanted*/) { return {}; }
  /// Lets go of the inputs and of all that was saved.
  virtual void free() {}
  /// Gives the memory of the node itself back.
  virtual void dispose() = 0;
  /// Whether it collects gradients: no op made its tensor.
  virtual bool is_leaf() const { return false; }

  int refs = 0;                ///< its owners: see Ref
  bool spent = false;          ///< freed by an earlier pass
  std::size_t step = 0;        ///< where the last pass put it: a guess, which passes check
  const char* op;              ///< the name of the op, "leaf" for none
  Shape shape;                 ///< of the tensor, and so of its gradient
  Tensor grad;                 ///< what a leaf has collected so far
  Node* next_dying = nullptr;  ///< in the list that destroy() works off
};

/// What a pass wants of the backward that it calls.
struct Wanted {
  /// Whether the gradient of input i is wanted; another's need not be computed. From the 64th on,
  /// inputs are wanted together.
  bool operator[](std::size_t i) const { return (inputs >> std::min<std::size_t>(i, 63) & 1) != 0; }
  /// The shape of input i, if its gradient is wanted.
  const Shape& shape(std::size_t i) const { return nodes[i]->shape; }

  std::uint64_t inputs = 0;               ///< a bit for each input
  std::span<const Ref<Node>> nodes = {};  ///< those of the inputs
  /// What has arrived at the first input so far, if a backward may add to it in place. It then
  /// returns no gradient for that input: T slices of a tensor cost as much as one, not T times.
  const Tensor* sum = nullptr;
};

/// A node without inputs, for a tensor that collects its gradient.
Ref<Node> make_leaf(const Shape& shape);

/// Whether ops record what they do. True at first; see NoGrad.
bool is_recording();

/// While one of these exists, ops on this thread record, or do not.
class RecordingScope {
 public:
  /// Switches recording on or off; the end of the scope puts back what was.
  explicit RecordingScope(bool on);
  ~RecordingScope();
  RecordingScope(const RecordingScope&) = delete;
  RecordingScope& operator=(const RecordingScope&) = delete;

 private:
  bool before_;
};

/// While one of these exists, ops on this thread record nothing.
/// @code
/// { NoGrad no_grad; y = model(x); }  // y has no graph
/// @endcode
struct NoGrad : RecordingScope {
  NoGrad() : RecordingScope(false) {}
};

/// Whether `x` is there and wants a gradient: what an op asks before it computes one.
inline bool wants_gradient(const Tensor& x) { return x.defined() && x.requires_grad(); }

/// What an op saves of `x` if nothing but the gradient of `other` needs it: x, or nothing.
inline Tensor saved_for(const Tensor& other, const Tensor& x) {
  return wants_gradient(other) ? x : Tensor();
}

namespace detail {

/// Ends a lap of the active profile: `op` has made `y` out of `inputs`.
void lap_forward(const char* op, std::span<const Tensor> inputs, const Tensor& y);
/// Ends a lap of `profile`: the backward of `op` has turned dy into `gradients`.
void lap_backward(Profile& profile, const char* op, const Tensor& dy, Gradients& gradients);

/// `Nodes` holds those of the inputs: an array, or a vector where only the run tells their number.
template <class Backward, class Nodes>
struct OpNode final : Node {
  template <class... Arguments>
  static constexpr bool kTakes = std::is_invocable_v<Backward&, const Tensor&, const Arguments&...>;
  static constexpr bool kNeedsOutput = kTakes<Tensor> || kTakes<Tensor, Wanted>;

  /// `output` is y without its node if kNeedsOutput, else nothing.
  OpNode(const char* op, const Shape& shape, Tensor output, std::span<const Tensor> inputs,
         Nodes nodes, Backward&& backward)
      : Node(op, shape),
        backward_(std::move(backward)),
        output_(std::move(output)),
        inputs_(std::move(nodes)) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      inputs_[i] = wants_gradient(inputs[i]) ? inputs[i].node() : Ref<Node>();
    }
  }

  std::span<Ref<Node>> inputs() override { return inputs_; }

  Gradients backward(const Tensor& dy, const Wanted& wanted) override {
    const auto call = [&](const auto&... y) {
      if constexpr (kTakes<std::decay_t<decltype(y)>..., Wanted>) {
        return (*backward_)(dy, y..., wanted);
      } else {
        return (*backward_)(dy, y...);
      }
    };
    if constexpr (kNeedsOutput) {
      // Gradients of gradients flow through the output too, so then it comes with its node.
      return call(is_recording() ? output_.with_node(Ref<Node>(this)) : output_);
    } else {
      return call();
    }
  }

  void free() override {
    backward_.reset();
    output_ = Tensor();
    inputs_ = Nodes();
  }

  void dispose() override {
    this->~OpNode();
    deallocate(this, sizeof(OpNode));
  }

 private:
  std::optional<Backward> backward_;
  Tensor output_;
  Nodes inputs_;
};

template <class Nodes, class Backward>
Tensor record(const char* op, Tensor y, std::span<const Tensor> inputs, Nodes nodes,
              Backward&& backward) {
  if (is_recording() && std::any_of(inputs.begin(), inputs.end(), wants_gradient)) {
    using OpNode = detail::OpNode<Backward, Nodes>;
    Tensor output = OpNode::kNeedsOutput ? y.detach() : Tensor();
    void* memory = allocate(sizeof(OpNode));
    y.attach(Ref<Node>(new (memory) OpNode(op, y.shape(), std::move(output), inputs,
                                           std::move(nodes), std::move(backward))));
  }
  if (active_profile != nullptr) [[unlikely]] {
    lap_forward(op, inputs, y);
  }
  return y;
}

}  // namespace detail

/// Records that `op` made `y` out of `inputs`, and returns `y` with its node. `y` must be new: a
/// tensor that only the op has.
///
/// `backward` is called as backward(dy), backward(dy, y), backward(dy, wanted) or backward(dy, y,
/// wanted), by what it takes; it returns the Gradients of the inputs, each of its input's shape and
/// undefined for those that are not Wanted. It must not capture `y`, whose
/// node owns it: that would be a cycle, never freed. What it captures is what the op saves. When
/// written in tensor ops, gradients of gradients work; when written as kernels, it begins with
/// once_only(). An input may be undefined, for an optional argument that is absent. Nothing is
/// recorded, and `y` returned as it is, if no input wants a gradient or under NoGrad.
template <std::size_t N, class Backward>
Tensor record(const char* op, Tensor y, const Tensor (&inputs)[N], Backward backward) {
  return detail::record(op, std::move(y), inputs, std::array<Ref<Node>, N>(), std::move(backward));
}

/// The same where only the run tells the number of inputs. Write `backward` to return
/// `Gradients(std::vector<Tensor>)`.
template <class Backward>
Tensor record(const char* op, Tensor y, const std::vector<Tensor>& inputs, Backward backward) {
  return detail::record(op, std::move(y), inputs, std::vector<Ref<Node>>(inputs.size()),
                        std::move(backward));
}

/// Reports that the backward of `op` is a kernel and cannot itself be differentiated.
/// @throws std::invalid_argument while recording, that is under create_graph; `remedy` names the
/// composed version.
void once_only(const char* op, const char* remedy);

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
/// between. Collects nothing in leaves and does only the work that leads to `inputs`. An input that
/// the outputs do not depend on gets zeros.
/// @throws std::invalid_argument as backward() does, or if an input wants no gradient.
std::vector<Tensor> grad(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                         const GradOptions& options = {});

/// @}

}  // namespace gradus
