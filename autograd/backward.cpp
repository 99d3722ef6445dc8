#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/reduce.h"

namespace gradus {
using namespace detail;
namespace {

void check_not_freed(const Node& node) {
  check(!node.freed, "backward: the graph behind ", node.op, " of shape ", node.shape,
        " was freed by an earlier backward pass (set keep_graph in that call, or compute the "
        "output again)");
}

/// Whether NumPy's rule repeats a tensor of shape `from` to the shape `to`.
bool broadcasts(const Shape& from, const Shape& to) {
  const int extra = to.rank() - from.rank();
  bool fits = extra >= 0;
  for (int axis = 0; fits && axis < from.rank(); ++axis) {
    fits = from[axis] == 1 || from[axis] == to[axis + extra];
  }
  return fits;
}

/// One backward pass through the graph behind some outputs. Another pass may run inside this one,
/// over the same nodes. So this pass stores its data about a node in its own Step; the node holds
/// only the position of its last step, a hint that position_of() verifies. After an exception,
/// leaves may have collected gradients, and visited nodes are freed unless the graph is kept.
class Pass {
 public:
  /// @param collects whether leaves collect the gradients that arrive, as in backward(); all are
  /// wanted then
  explicit Pass(bool collects) : collects_(collects) {}

  /// Gives the outputs their gradients, ones where undefined, and visits every node after all nodes
  /// that use it. Returns the gradients that arrived at `inputs`, zeros where none arrived.
  std::vector<Tensor> run(std::span<const Tensor> outputs, std::span<const Tensor> gradients,
                          std::span<const Tensor> inputs, bool keep_graph) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      check_output(outputs[i], gradients[i]);
      sort(outputs[i].node());
    }
    std::vector<std::size_t> requested;
    for (const Tensor& input : inputs) requested.push_back(position_of(*input.node()));
    for (const std::size_t position : requested) steps_[position].requested = true;
    mark_wanted();
    report("graph", Tensor(), {});  // in a profile, the time until here
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      add(steps_[position_of(*outputs[i].node())],
          gradients[i].defined() ? gradients[i] : ones(outputs[i].shape()));
    }
    for (std::size_t position = steps_.size(); --position > 0;) {
      Step& step = steps_[position];
      if (step.must_run && step.gradient.defined()) {
        pass_on(step);
        if (!keep_graph) step.node->free();
      }
      step.node = Ref<Node>();  // its turn is over: it may be deleted
    }
    std::vector<Tensor> results;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Tensor& found = steps_[requested[i]].gradient;
      results.push_back(found.defined() ? found : zeros(inputs[i].shape()));
    }
    return results;
  }

 private:
  struct Step {
    Ref<Node> node = {};     // none in step 0, which stands for inputs without a node
    std::size_t first = 0;   // the position of its first input in inputs_
    Tensor gradient = {};    // the sum so far, unless a leaf collects it
    bool requested = false;  // whether the caller of grad() requested it
    bool wanted = false;     // whether its gradient is needed
    bool must_run = false;   // whether its closure must run: an input is wanted
  };

  void check_output(const Tensor& output, const Tensor& gradient) const {
    const char* const function = collects_ ? "backward" : "grad";
    check(output.requires_grad(), function, ": the output of shape ", output.shape(),
          " has no graph: no input of it requires a gradient, or it was computed under NoGrad "
          "(call set_requires_grad() on an input before using it, outside of NoGrad)");
    check(!gradient.defined() || gradient.shape() == output.shape(), function,
          ": the gradient must have the output's shape ", output.shape(), ", got ",
          ShapeOf{gradient});
  }

  /// Appends the steps of `output` and the nodes behind it. Runs no code that could start another
  /// pass.
  void sort(const Ref<Node>& output) {
    PooledVector<std::pair<Node*, std::size_t>> stack;  // with the number of each node's next input
    const auto enter = [&](const Ref<Node>& node) {
      if (node && position_of(*node) == 0) {
        check_not_freed(*node);
        stack.emplace_back(node.get(), 0);
      }
    };
    enter(output);
    while (!stack.empty()) {
      auto& [node, next] = stack.back();
      if (next < node->inputs.size()) {
        enter(node->inputs[next++]);
        continue;
      }
      node->position_hint = steps_.size();
      steps_.push_back({Ref<Node>(node), inputs_.size()});
      for (const auto& input : node->inputs) inputs_.push_back(input ? input->position_hint : 0);
      stack.pop_back();
    }
  }

  /// The position of a node's step, 0 if it has none. Valid until the first node is visited: after
  /// that a pass inside this one may have overwritten the hints.
  std::size_t position_of(const Node& node) const {
    const std::size_t position = node.position_hint;
    return position < steps_.size() && steps_[position].node.get() == &node ? position : 0;
  }

  /// The step of input i of a step's node.
  Step& input_step(const Step& step, std::size_t i) { return steps_[inputs_[step.first + i]]; }

  /// Where the gradients that arrive at a step add up.
  Tensor& gradient_at(Step& step) {
    return collects_ && step.node->is_leaf() ? step.node->grad : step.gradient;
  }

  /// Marks the nodes whose gradients are wanted, and the nodes whose closures must run for these
  /// gradients.
  void mark_wanted() {
    for (Step& step : std::span(steps_).subspan(1)) {
      const std::size_t count = step.node->inputs.size();
      for (std::size_t i = 0; i < count; ++i) step.must_run |= input_step(step, i).wanted;
      step.wanted = collects_ || step.requested || step.must_run;
    }
  }

  /// Adds a gradient, which has the shape of the step's node.
  void add(Step& step, Tensor gradient) {
    const Node& node = *step.node;
    Tensor& sum = gradient_at(step);
    if (!sum.defined()) {
      // The caller may change a gradient that a leaf collects or that was requested, so it must not
      // share elements with other tensors. (If the pass is recorded, the gradient has a graph and
      // must not be changed.)
      const bool own = (node.is_leaf() || step.requested) && !is_recording();
      sum = own && !gradient.sole_owner() ? gradient.clone() : std::move(gradient);
      return;
    }
    if (!is_recording() && sum.sole_owner()) {
      add_in_place(sum, gradient);
    } else {
      sum = sum + gradient;
    }
    report("accumulate", sum, {&gradient, 1});
  }

  /// Turns the gradient of a step's node into the gradients of its inputs.
  void pass_on(Step& step) {
    Node& node = *step.node;
    check_not_freed(node);  // a pass inside this one may have freed it
    const std::size_t count = node.inputs.size();
    wanted_.clear();
    for (std::size_t i = 0; i < count; ++i) wanted_.push_back(input_step(step, i).wanted);
    Wanted wanted{.inputs = wanted_};
    if (!is_recording() && wanted[0] && gradient_at(input_step(step, 0)).sole_owner()) {
      wanted.sum = &gradient_at(input_step(step, 0));
    }
    running_op = node.op;
    Tensor y = node.y;
    if (is_recording() && y.defined()) {  // gradients of gradients flow through the output too
      y = y.detach();
      set_node(y, step.node);
    }
    Tensor dy = step.requested ? step.gradient : std::move(step.gradient);
    Gradients gradients = (*node.closure)(dy, y, wanted);
    check(gradients.size() == count, "backward: ", node.op, " has ", count, " inputs but returned ",
          gradients.size(), " gradients");
    const bool in_sum = wanted.sum != nullptr && !gradients[0].defined();  // as slice() does it
    for (std::size_t i = in_sum ? 1 : 0; i < count; ++i) {
      if (wanted[i]) fit(gradients[i], *input_step(step, i).node, node.op);
    }
    report(node.op, dy, gradients);
    dy = Tensor();  // so that a gradient that is passed on has one owner less
    for (std::size_t i = in_sum ? 1 : 0; i < count; ++i) {
      if (wanted[i]) add(input_step(step, i), std::move(gradients[i]));
    }
  }

  /// Sums the gradient that `op` computed for its input to the input's shape, if the input was
  /// broadcast.
  static void fit(Tensor& gradient, const Node& input, const char* op) {
    if (gradient.defined() && gradient.shape() == input.shape) return;
    check(gradient.defined() && broadcasts(input.shape, gradient.shape()), "backward: ", op,
          " gave its input ", input.op, " of shape ", input.shape, " a gradient of shape ",
          ShapeOf{gradient});
    gradient = sum_to(gradient, input.shape);
  }

  void report(const char* op, const Tensor& dy, std::span<const Tensor> gradients) const {
    if (observer_.before() != nullptr) [[unlikely]] {
      observer_.before()->backward(op, dy, gradients);
    }
  }

  const bool collects_;
  PooledVector<Step> steps_ = PooledVector<Step>(1);  // inputs before users; step 0: "no node"
  PooledVector<std::size_t> inputs_;  // the steps of each node's inputs, one node after the other
  PooledVector<char> wanted_;         // for the current node: see Wanted
  ValueScope<Observer*> observer_{observer, nullptr};  // reports nodes, not ops inside closures
  ValueScope<const char*> running_op_{running_op, nullptr};  // restores an outer pass's op
};

}  // namespace

void backward(const Tensor& output, const Tensor& gradient, bool keep_graph) {
  require_defined("backward", {{"output", output}});
  check(output.size() == 1 || gradient.defined(), "backward: needs a scalar, got ", output.shape(),
        " (call sum() first, or pass a gradient)");
  const NoGrad no_grad;
  Pass(true).run({&output, 1}, {&gradient, 1}, {}, keep_graph);
}

std::vector<Tensor> grad(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                         const GradOptions& options) {
  std::vector<Tensor> gradients = options.gradients;
  check(gradients.empty() || gradients.size() == outputs.size(),
        "grad: needs one gradient for each output, got ", gradients.size(), " for ",
        outputs.size());
  gradients.resize(outputs.size());
  require_all_defined("grad", "outputs", outputs);
  require_all_defined("grad", "inputs", inputs);
  for (const Tensor& input : inputs) {
    check(input.requires_grad(), "grad: an input of shape ", input.shape(),
          " requires no gradient (call set_requires_grad() before using it)");
  }
  const RecordingScope scope(options.create_graph);
  return Pass(false).run(outputs, gradients, inputs, options.keep_graph || options.create_graph);
}

}  // namespace gradus
