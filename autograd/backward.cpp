#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/ops/elementwise.h"

namespace gradus {
using namespace detail;
namespace {

void check_not_freed(const Node& node) {
  check(!node.freed, "backward: the graph behind ", node.op, " of shape ", node.shape,
        " was freed by an earlier pass (pass keep_graph there, or compute it again)");
}

/// Hides the observer while it exists; its end restores the observer and whose closure runs.
struct PassScope {
  ~PassScope() { observer = before, running_op = outer; }
  Observer* const before = std::exchange(observer, nullptr);
  const char* const outer = running_op;
};

/// One backward pass through the graph behind some outputs. Another pass may run inside it: what it
/// knows of a node is in its own Step, and the node holds only a hint of which, which step_of()
/// checks. After an exception, leaves may have collected, and nodes that it visited are freed
/// unless the graph is kept.
class Pass {
 public:
  /// @param collects whether leaves collect what arrives, all of which is wanted then
  Pass(std::span<const Tensor> outputs, bool collects) : outputs_(outputs), collects_(collects) {
    sort();
  }

  /// Gives the outputs their gradients and visits every node after all that use it. Returns what
  /// has arrived at `inputs`, undefined where nothing has.
  std::vector<Tensor> run(std::span<const Tensor> gradients, std::span<const Tensor> inputs,
                          bool keep_graph) {
    std::vector<std::size_t> requested;
    for (const Tensor& input : inputs) {
      requested.push_back(step_of(*input.node()));
      steps_[requested.back()].requested = true;
    }
    mark_wanted();
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      add(steps_[step_of(*outputs_[i].node())], gradients[i], "the caller");
    }
    report("graph", Tensor(), {});  // sorted: see inspect/profile.h
    visit_all(keep_graph);
    std::vector<Tensor> results;
    for (const std::size_t at : requested) results.push_back(steps_[at].gradient);
    return results;
  }

 private:
  struct Step {
    Ref<Node> node;
    std::size_t first_input = 0;  // in inputs_
    Tensor gradient = {};         // the sum of what has arrived, unless a leaf collects it
    bool requested = false;       // by the caller of grad()
    bool must_run = false;        // the gradient of an input is wanted
    bool wanted = false;          // its own gradient is
  };

  /// Fills steps_ and inputs_. Runs nothing that could run another pass.
  void sort() {
    steps_.emplace_back();                              // step 0 stands for no node
    PooledVector<std::pair<Node*, std::size_t>> stack;  // with the number of each node's next input
    const auto enter = [&](const Ref<Node>& node) {
      if (node && step_of(*node) == 0) {
        check_not_freed(*node);
        stack.emplace_back(node.get(), 0);
      }
    };
    for (const Tensor& output : outputs_) {
      enter(output.node());
      while (!stack.empty()) {
        auto& [node, next] = stack.back();
        if (next < node->inputs.size()) {
          enter(node->inputs[next++]);
          continue;
        }
        node->position_hint = steps_.size();
        steps_.push_back({Ref<Node>(node), inputs_.size()});
        for (const Ref<Node>& input : node->inputs) {
          inputs_.push_back(input ? input->position_hint : 0);
        }
        stack.pop_back();
      }
    }
  }

  /// The step of a node, 0 if it has none. Only until visit_all() visits the first: a pass inside
  /// this one gives nodes steps of its own.
  std::size_t step_of(const Node& node) const {
    const std::size_t at = node.position_hint;
    return at < steps_.size() && steps_[at].node.get() == &node ? at : 0;
  }

  /// The step of input i of a step's node.
  Step& input_step(const Step& step, std::size_t i) {
    return steps_[inputs_[step.first_input + i]];
  }

  /// Where the gradients that arrive at a step add up.
  Tensor& gradient_at(Step& step) {
    return collects_ && step.node->is_leaf() ? step.node->grad : step.gradient;
  }

  /// Marks the nodes whose gradients are wanted, and whose closures must run for that.
  void mark_wanted() {
    for (std::size_t at = 1; at < steps_.size(); ++at) {
      Step& step = steps_[at];
      for (std::size_t i = 0; i < step.node->inputs.size(); ++i) {
        step.must_run |= input_step(step, i).wanted;
      }
      step.wanted = collects_ || step.requested || step.must_run;
    }
  }

  void visit_all(bool keep_graph) {
    for (std::size_t at = steps_.size(); --at > 0;) {
      Step& step = steps_[at];
      if (step.must_run && step.gradient.defined()) {
        pass_on(step);
        if (!keep_graph) step.node->free();
      }
      step.node = Ref<Node>();  // which may die: its turn is over
    }
  }

  void add(Step& step, Tensor gradient, const char* from) {
    const Node& node = *step.node;
    check(gradient.shape() == node.shape, "backward: ", from, " gave its input ", node.op,
          " of shape ", node.shape, " a gradient of shape ", gradient.shape());
    Tensor& sum = gradient_at(step);
    if (!sum.defined()) {
      // The gradient of a leaf, or one requested, may be changed later, unless it has a graph.
      const bool must_copy =
          (node.is_leaf() || step.requested) && !is_recording() && !gradient.sole_owner();
      sum = must_copy ? gradient.clone() : std::move(gradient);
      return;
    }
    if (!is_recording() && sum.sole_owner()) {
      add_in_place(sum, gradient);
    } else {
      sum = sum + gradient;
    }
    report("accumulate", sum, {&gradient, 1});
  }

  /// Turns the gradient of a step's node into those of its inputs.
  void pass_on(Step& step) {
    Node& node = *step.node;
    check_not_freed(node);  // by a pass inside this one
    const std::size_t count = node.inputs.size();
    wanted_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      wanted_.push_back(input_step(step, i).wanted ? node.inputs[i].get() : nullptr);
    }
    Wanted wanted{.nodes = wanted_};
    if (!is_recording() && wanted[0] && gradient_at(input_step(step, 0)).sole_owner()) {
      wanted.sum = &gradient_at(input_step(step, 0));
    }
    running_op = node.op;
    Tensor y = node.y;
    if (is_recording() && y.defined()) {  // gradients of gradients flow through the output too
      y = y.detach();
      detail::set_node(y, step.node);
    }
    Tensor dy = step.requested ? step.gradient : std::move(step.gradient);
    Gradients gradients = (*node.closure)(dy, y, wanted);
    report(node.op, dy, gradients);
    dy = Tensor();  // so that a gradient handed through has one owner less
    check(gradients.size() == count, "backward: ", node.op, " has ", count, " inputs but returned ",
          gradients.size(), " gradients");
    for (std::size_t i = 0; i < count; ++i) {
      if (wanted[i] && gradients[i].defined()) {
        add(input_step(step, i), std::move(gradients[i]), node.op);
      }
    }
  }

  void report(const char* op, const Tensor& dy, std::span<const Tensor> gradients) const {
    if (scope_.before != nullptr) [[unlikely]] {
      scope_.before->backward(op, dy, gradients);
    }
  }

  std::span<const Tensor> outputs_;
  bool collects_;
  PooledVector<Step> steps_;          // inputs before the nodes that use them
  PooledVector<std::size_t> inputs_;  // the steps of each node's inputs, one node after the other
  PooledVector<Node*> wanted_;        // of the node whose turn it is: see Wanted
  PassScope scope_;
};

/// What a pass begins with at an output: `gradient`, or ones.
Tensor seed_for(const Tensor& output, const Tensor& gradient, const char* function) {
  check(output.requires_grad(), function, ": the output of shape ", output.shape(),
        " has no graph: no input of it requires a gradient, or it was computed under NoGrad");
  check(!gradient.defined() || gradient.shape() == output.shape(), function,
        ": the gradient must have the output's shape ", output.shape(), ", got ",
        ShapeOf{gradient});
  return gradient.defined() ? gradient : ones(output.shape());
}

}  // namespace

void backward(const Tensor& output, const Tensor& gradient, bool keep_graph) {
  require_defined("backward", {{"output", output}});
  check(output.size() == 1 || gradient.defined(), "backward: needs a scalar, got ", output.shape(),
        " (call sum() first, or pass a gradient)");
  const Tensor seed = seed_for(output, gradient, "backward");
  const NoGrad no_grad;
  Pass({&output, 1}, true).run({&seed, 1}, {}, keep_graph);
}

std::vector<Tensor> grad(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                         const GradOptions& options) {
  std::vector<Tensor> seeds = options.gradients;
  check(seeds.empty() || seeds.size() == outputs.size(),
        "grad: needs one gradient for each output, got ", seeds.size(), " for ", outputs.size());
  require_all_defined("grad", "outputs", outputs);
  require_all_defined("grad", "inputs", inputs);
  seeds.resize(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    seeds[i] = seed_for(outputs[i], seeds[i], "grad");
  }
  for (const Tensor& input : inputs) {
    check(input.requires_grad(), "grad: an input of shape ", input.shape(),
          " requires no gradient (call set_requires_grad() before using it)");
  }
  const RecordingScope scope(options.create_graph);
  const bool keep_graph = options.keep_graph || options.create_graph;
  std::vector<Tensor> results = Pass(outputs, false).run(seeds, inputs, keep_graph);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    results[i] = results[i].defined() ? results[i] : zeros(inputs[i].shape());
  }
  return results;
}

}  // namespace gradus
