#include "autograd/graph.h"

#include <atomic>

#include "autograd/check.h"
#include "autograd/ops/arithmetic.h"

namespace gradus {
namespace {

thread_local bool recording = true;
// Of all threads, since a node may be handed from one to another between passes.
std::atomic<std::uint64_t> visits = 0;

struct Leaf final : Node {
  explicit Leaf(const Shape& shape) : Node("leaf", shape) {}
  bool is_leaf() const override { return true; }
  void dispose() override {
    this->~Leaf();
    deallocate(this, sizeof(Leaf));
  }
};

/// The nodes that `roots` were computed from, inputs before the nodes that use them. Marks each as
/// wanted if `all`, or if it is wanted already or leads to one that is.
void sort_graph(std::span<const Tensor> roots, bool all, std::vector<Ref<Node>>& order) {
  struct Frame {
    Node* node;
    std::size_t next;
  };
  thread_local std::vector<Frame> stack;
  const std::uint64_t visit = ++visits;
  const auto enter = [&](const Ref<Node>& node) {
    if (node && node->visit != visit) {
      node->visit = visit;
      check(!node->spent, "backward: the graph behind ", node->op, " of shape ", node->shape,
            " was freed by an earlier pass (pass keep_graph there, or compute it again)");
      stack.push_back({node.get(), 0});
    }
  };
  stack.clear();
  order.clear();
  for (const Tensor& root : roots) {
    enter(root.node());
    while (!stack.empty()) {
      const auto [node, next] = stack.back();
      const std::span<Ref<Node>> inputs = node->inputs();
      if (next < inputs.size()) {
        ++stack.back().next;
        enter(inputs[next]);
        continue;
      }
      stack.pop_back();
      node->wanted = all || node->wanted ||
                     std::any_of(inputs.begin(), inputs.end(),
                                 [](const Ref<Node>& input) { return input && input->wanted; });
      order.emplace_back(node);
    }
  }
}

std::uint64_t bytes_of(const Tensor& x) {
  return x.defined() ? static_cast<std::uint64_t>(x.size()) * sizeof(Scalar) : 0;
}

/// Whether they are the same elements in memory, as those of an op's input and its result may be.
bool share_elements(const Tensor& x, const Tensor& y) {
  return x.defined() && y.defined() && x.data() == y.data();
}

/// Ends the lap of one node's backward. Out of line: passes without a profile must stay as fast.
[[gnu::noinline]] void lap_backward(Profile& profile, const Node& node, const Tensor& dy,
                                    Gradients& gradients) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    bytes += share_elements(gradients[i], dy) ? 0 : bytes_of(gradients[i]);
  }
  profile.lap(node.op, ProfilePart::kBackward, bytes > 0 ? bytes + bytes_of(dy) : 0);
}

void accumulate(Node& node, Tensor gradient, const char* from, Profile* profile) {
  check(gradient.shape() == node.shape, "backward: ", from, " gave its input ", node.op,
        " of shape ", node.shape, " a gradient of shape ", gradient.shape());
  if (!node.grad.defined()) {
    // A leaf's gradient is there to stay and to be changed: it must not be shared.
    node.grad = node.is_leaf() && !recording && !gradient.sole_owner() ? gradient.clone()
                                                                       : std::move(gradient);
    return;
  }
  if (!recording && node.grad.sole_owner()) {
    add_in_place(node.grad, gradient);
  } else {
    node.grad = node.grad + gradient;
  }
  if (profile != nullptr) [[unlikely]] {
    profile->lap("accumulate", ProfilePart::kBackward, bytes_of(node.grad) + bytes_of(gradient));
  }
}

/// Takes back what an interrupted pass left in the nodes it did not reach.
void clean_up(std::vector<Ref<Node>>& order) {
  for (Ref<Node>& node : order) {
    node->wanted = node->captured = false;
    if (!node->is_leaf()) {
      node->grad = Tensor();
    }
  }
  order.clear();
}

/// Turns the gradient of one node into those of its inputs.
void pass_on(Node& node, Tensor dy, Profile* profile) {
  const std::span<Ref<Node>> inputs = node.inputs();
  if (std::ranges::none_of(inputs, [](const Ref<Node>& in) { return in && in->wanted; })) {
    return;  // a captured node whose own inputs nobody asked for
  }
  Gradients gradients = node.backward(dy);
  if (profile != nullptr) [[unlikely]] {
    lap_backward(*profile, node, dy, gradients);
  }
  dy = Tensor();  // so that a gradient handed through has one owner less
  check(gradients.size() == inputs.size(), "backward: ", node.op, " has ", inputs.size(),
        " inputs but returned ", gradients.size(), " gradients");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] && inputs[i]->wanted && gradients[i].defined()) {
      accumulate(*inputs[i], std::move(gradients[i]), node.op, profile);
    }
  }
}

/// Walks back through the graph of `outputs`: seeds their gradients, then visits every node after
/// all that use it. The gradients of captured nodes stay in them.
void walk(std::span<const Tensor> outputs, std::span<const Tensor> seeds, bool all,
          bool keep_graph) {
  // Ops that run within a gradient are part of that gradient's lap, and end none.
  const detail::ProfilePause pause;
  Profile* const profile = pause.before;
  thread_local std::vector<Ref<Node>> spare;  // so that a pass allocates nothing; a nested one does
  std::vector<Ref<Node>> order = std::exchange(spare, {});
  try {
    sort_graph(outputs, all, order);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i].node()->wanted) {
        accumulate(*outputs[i].node(), seeds[i], "the caller", profile);
      }
    }
    if (profile != nullptr) {
      profile->lap("graph", ProfilePart::kBackward, 0);
    }
    for (; !order.empty(); order.pop_back()) {
      Node& node = *order.back();
      const bool wanted = std::exchange(node.wanted, false);
      if (node.is_leaf()) {
        continue;
      }
      Tensor dy = node.captured ? node.grad : std::exchange(node.grad, Tensor());
      if (wanted && dy.defined()) {
        pass_on(node, std::move(dy), profile);
      }
      if (!keep_graph) {
        node.spent = true;
        node.free();
      }
    }
  } catch (...) {
    clean_up(order);
    throw;
  }
  spare = std::move(order);
}

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

void detail::lap_forward(const char* op, std::span<const Tensor> inputs, const Tensor& y) {
  std::uint64_t bytes = 0;
  for (const Tensor& input : inputs) {
    bytes += bytes_of(input);
  }
  const bool is_view =
      std::ranges::any_of(inputs, [&](const Tensor& input) { return share_elements(input, y); });
  lap(op, ProfilePart::kForward, is_view ? 0 : bytes + bytes_of(y));
}

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
  walk({&output, 1}, {&seed, 1}, true, keep_graph);
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
  std::vector<Tensor> collected;  // what leaves hold already, put back at the end
  collected.reserve(inputs.size());
  for (const Tensor& input : inputs) {
    collected.push_back(std::exchange(input.node()->grad, Tensor()));
    input.node()->wanted = input.node()->captured = true;
  }
  const auto take_results = [&] {
    std::vector<Tensor> results;
    for (const Tensor& input : inputs) {
      results.push_back(input.node()->grad);
    }
    for (std::size_t i = inputs.size(); i-- > 0;) {  // backwards: an input may be named twice
      Node& node = *inputs[i].node();
      node.wanted = node.captured = false;
      node.grad = collected[i];
    }
    return results;
  };
  try {
    const RecordingScope scope(options.create_graph);
    walk(outputs, seeds, false, options.keep_graph || options.create_graph);
  } catch (...) {
    take_results();
    throw;
  }
  std::vector<Tensor> results = take_results();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!results[i].defined()) {
      results[i] = zeros(inputs[i].shape());
    }
  }
  return results;
}

}  // namespace gradus
