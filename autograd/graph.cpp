#include "autograd/graph.h"

#include "autograd/check.h"
#include "autograd/ops/elementwise.h"

namespace gradus {
namespace {

thread_local bool recording = true;

struct Leaf final : Node {
  explicit Leaf(const Shape& shape) : Node("leaf", shape) {}
  bool is_leaf() const override { return true; }
  void dispose() override {
    this->~Leaf();
    deallocate(this, sizeof(Leaf));
  }
};

void check_not_spent(const Node& node) {
  check(!node.spent, "backward: the graph behind ", node.op, " of shape ", node.shape,
        " was freed by an earlier pass (pass keep_graph there, or compute it again)");
}

/// For the vectors of a pass: memory that the next pass gets again, so that a training step takes
/// none from the system.
template <class T>
struct Cached {
  using value_type = T;
  Cached() = default;
  template <class U>
  explicit Cached(const Cached<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(gradus::allocate(n * sizeof(T))); }
  void deallocate(T* block, std::size_t n) noexcept { gradus::deallocate(block, n * sizeof(T)); }
  bool operator==(const Cached&) const = default;
};
template <class T>
using CachedVector = std::vector<T, Cached<T>>;

/// One walk back through the graph behind some outputs. All that it knows of the nodes is its own:
/// another pass may run inside it, and an exception leaves nothing to take back.
class Pass {
 public:
  /// @param collects what arrives at leaves is added to their gradients, and all of it is wanted
  Pass(std::span<const Tensor> outputs, bool collects) : outputs_(outputs), collects_(collects) {
    sort();
  }

  /// Makes run() want and keep the gradient of this node. Returns the node's step.
  std::size_t capture(const Node& node) {
    steps_[step_of(node)].captured = true;
    return step_of(node);
  }
  /// What run() has kept; undefined if nothing arrived.
  const Tensor& captured(std::size_t step) const { return steps_[step].sum; }

  /// Hands the outputs their gradients and visits every node after all that use it.
  void run(std::span<const Tensor> seeds, bool keep_graph) {
    // Ops that run within a gradient are part of that gradient's lap, and end none.
    const detail::ProfilePause pause;
    profile_ = pause.before;
    for (std::size_t at = 1; at < steps_.size(); ++at) {
      Step& step = steps_[at];
      step.wanted = collects_ || step.captured ||
                    std::ranges::any_of(inputs_of(step), [&](auto i) { return steps_[i].wanted; });
    }
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      Step& step = steps_[step_of(*outputs_[i].node())];
      if (step.wanted) {
        add(step, seeds[i], "the caller");
      }
    }
    if (profile_ != nullptr) {
      profile_->lap("graph", ProfilePart::kBackward, 0);
    }
    for (std::size_t at = steps_.size(); --at > 0;) {
      Step& step = steps_[at];
      const Ref<Node> node = std::move(step.node);  // so that it may die when its turn is over
      Tensor dy = step.captured ? step.sum : std::exchange(step.sum, Tensor());
      if (dy.defined() && pass_on(*node, std::move(dy), inputs_of(step)) && !keep_graph) {
        node->spent = true;
        node->free();
      }
    }
  }

 private:
  struct Step {
    Ref<Node> node;
    std::size_t first_input = 0;  // in inputs_
    std::size_t input_count = 0;
    Tensor sum = {};  // the gradients that have arrived, unless a leaf collects them
    bool wanted = false;
    bool captured = false;
  };

  /// Fills steps_ and inputs_. Runs nothing that could run another pass.
  void sort() {
    struct Frame {
      Node* node;
      std::size_t next;
    };
    CachedVector<Frame> stack;
    const auto enter = [&](const Ref<Node>& node) {
      if (node && step_of(*node) == 0) {
        check_not_spent(*node);
        stack.push_back({node.get(), 0});
      }
    };
    for (const Tensor& output : outputs_) {
      enter(output.node());
      while (!stack.empty()) {
        const auto [node, next] = stack.back();
        const std::span<Ref<Node>> inputs = node->inputs();
        if (next < inputs.size()) {
          ++stack.back().next;
          enter(inputs[next]);
          continue;
        }
        stack.pop_back();
        node->step = steps_.size();
        steps_.push_back({Ref<Node>(node), inputs_.size(), inputs.size()});
        for (const Ref<Node>& input : inputs) {
          inputs_.push_back(input ? input->step : 0);
        }
      }
    }
  }

  /// The step of a node, 0 if it has none. Only until run() visits the first: a pass inside this
  /// one gives nodes steps of its own.
  std::size_t step_of(const Node& node) const {
    return node.step < steps_.size() && steps_[node.step].node.get() == &node ? node.step : 0;
  }

  std::span<const std::size_t> inputs_of(const Step& step) const {
    return std::span(inputs_).subspan(step.first_input, step.input_count);
  }

  /// Where the gradients that arrive at a step add up.
  Tensor& sum_of(Step& step) {
    return collects_ && step.node->is_leaf() ? step.node->grad : step.sum;
  }

  void add(Step& step, Tensor gradient, const char* from) {
    const Node& node = *step.node;
    check(gradient.shape() == node.shape, "backward: ", from, " gave its input ", node.op,
          " of shape ", node.shape, " a gradient of shape ", gradient.shape());
    Tensor& sum = sum_of(step);
    if (!sum.defined()) {
      // A leaf's gradient is there to stay and to be changed: it must not be shared.
      const bool shared = node.is_leaf() && !recording && !gradient.sole_owner();
      sum = shared ? gradient.clone() : std::move(gradient);
      return;
    }
    if (!recording && sum.sole_owner()) {
      add_in_place(sum, gradient);
    } else {
      sum = sum + gradient;
    }
    if (profile_ != nullptr) [[unlikely]] {
      const auto numbers = static_cast<std::uint64_t>(sum.size() + gradient.size());
      profile_->lap("accumulate", ProfilePart::kBackward, numbers * sizeof(Scalar));
    }
  }

  /// Turns the gradient of one node into those of its inputs; false if nobody wants any.
  bool pass_on(Node& node, Tensor dy, std::span<const std::size_t> inputs) {
    Wanted wanted{.nodes = node.inputs()};
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      wanted.inputs |= std::uint64_t{steps_[inputs[i]].wanted} << std::min<std::size_t>(i, 63);
    }
    if (wanted.inputs == 0) {
      return false;
    }
    check_not_spent(node);  // by a pass inside this one
    if (!recording && wanted[0] && sum_of(steps_[inputs[0]]).sole_owner()) {
      wanted.sum = &sum_of(steps_[inputs[0]]);
    }
    Gradients gradients = node.backward(dy, wanted);
    if (profile_ != nullptr) [[unlikely]] {
      detail::lap_backward(*profile_, node.op, dy, gradients);
    }
    dy = Tensor();  // so that a gradient handed through has one owner less
    check(gradients.size() == inputs.size(), "backward: ", node.op, " has ", inputs.size(),
          " inputs but returned ", gradients.size(), " gradients");
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (steps_[inputs[i]].wanted && gradients[i].defined()) {
        add(steps_[inputs[i]], std::move(gradients[i]), node.op);
      }
    }
    return true;
  }

  std::span<const Tensor> outputs_;
  bool collects_;
  Profile* profile_ = nullptr;
  CachedVector<Step> steps_ =
      CachedVector<Step>(1);          // inputs before the nodes that use them; 0 stands for no node
  CachedVector<std::size_t> inputs_;  // the steps of each step's inputs
};

Tensor seed_for(const Tensor& output, const Tensor& gradient, const char* function) {
  check(output.requires_grad(), function, ": the output of shape ", output.shape(),
        " has no graph: no input of it requires a gradient, or it was computed under NoGrad");
  if (!gradient.defined()) {
    return ones(output.shape());
  }
  check(gradient.shape() == output.shape(), function,
        ": the gradient must have the output's shape ", output.shape(), ", got ", gradient.shape());
  return gradient;
}

}  // namespace

void destroy(Node* node) {
  // Disposing of a node lets go of its inputs, whose nodes may then die in turn. A list in place of
  // recursion: a chain may be a million nodes long.
  thread_local Node* dying = nullptr;
  thread_local bool draining = false;
  node->next_dying = std::exchange(dying, node);
  if (draining) {
    return;
  }
  draining = true;
  while (dying != nullptr) {
    Node* next = std::exchange(dying, dying->next_dying);
    next->dispose();
  }
  draining = false;
}

Ref<Node> make_leaf(const Shape& shape) {
  return Ref<Node>(new (allocate(sizeof(Leaf))) Leaf(shape));
}

bool is_recording() { return recording; }

RecordingScope::RecordingScope(bool on) : before_(std::exchange(recording, on)) {}

RecordingScope::~RecordingScope() { recording = before_; }

void once_only(const char* op, const char* remedy) {
  check(!recording, op, ": its backward runs once, its gradient has no gradient (use ", remedy,
        ")");
}

void backward(const Tensor& output, const Tensor& gradient, bool keep_graph) {
  require_defined("backward", {{"output", output}});
  check(output.size() == 1 || gradient.defined(), "backward: needs a scalar, got ", output.shape(),
        " (call sum() first, or pass a gradient)");
  const Tensor seed = seed_for(output, gradient, "backward");
  const NoGrad no_grad;
  Pass({&output, 1}, true).run({&seed, 1}, keep_graph);
}

std::vector<Tensor> grad(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                         const GradOptions& options) {
  check(options.gradients.empty() || options.gradients.size() == outputs.size(), "grad: needs one ",
        "gradient for each output, got ", options.gradients.size(), " for ", outputs.size());
  require_all_defined("grad", "outputs", outputs);
  require_all_defined("grad", "inputs", inputs);
  std::vector<Tensor> seeds;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    seeds.push_back(
        seed_for(outputs[i], options.gradients.empty() ? Tensor() : options.gradients[i], "grad"));
  }
  for (const Tensor& input : inputs) {
    check(input.requires_grad(), "grad: an input of shape ", input.shape(),
          " requires no gradient (call set_requires_grad() before using it)");
  }
  Pass pass(outputs, false);
  std::vector<std::size_t> steps;
  for (const Tensor& input : inputs) {
    steps.push_back(pass.capture(*input.node()));
  }
  const RecordingScope scope(options.create_graph);
  pass.run(seeds, options.keep_graph || options.create_graph);
  std::vector<Tensor> results;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& result = pass.captured(steps[i]);
    results.push_back(result.defined() ? result : zeros(inputs[i].shape()));
  }
  return results;
}

}  // namespace gradus
