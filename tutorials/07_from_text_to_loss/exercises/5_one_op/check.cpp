#include <cmath>
#include <limits>

#include "autograd/graph.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/softmax.h"
#include "tutorials/07_from_text_to_loss/exercises.h"
#include "tutorials/common/own_indices.h"

namespace {

gradus::Tensor gradient_of(const std::string& what, const gradus::Tensor& x,
                           const gradus::IndexTensor& targets, Scalar dy) {
  Tensor mine = own(x).set_requires_grad();
  return gradus::unchanged<Tensor>(what, {mine}, [&] {
    const Index before = nodes_made;
    const Tensor loss = cross_entropy_op(mine, own(targets));
    if (!loss.defined()) gradus::red(what + ": got nothing, a tensor that was never set");
    gradus::must_be_finite(
        what + ": the loss", loss,
        "e to a large power is infinite: subtract each row's largest logit first");
    gradus::expect(what + ": the loss", gradus::as_library(loss), gradus::cross_entropy(x, targets),
                   "", 1e-4 * std::max(1.0F, gradus::cross_entropy(x, targets).item()));
    if (!loss.requires_grad()) {
      gradus::red(what +
                  ": the loss has no node\nlikely cause: return record(...), with logits as input");
    }
    if (nodes_made != before + 1 || loss.node()->inputs != std::vector{mine.node()}) {
      gradus::red(
          what + ": the graph got " + std::to_string(nodes_made - before) +
          " nodes, expected 1\nlikely cause: ops on logits record nodes; work on logits.detach()");
    }
    backward(loss * dy);
    if (nodes_made != before + 2) gradus::red(what + ": the closure made nodes");
    return gradus::as_library(mine.grad());
  });
}

void ask(Index n, Index vocab, Scalar spread, Scalar dy) {
  const std::string what = std::to_string(n) + " rows of " + std::to_string(vocab) +
                           ", logits of about " + std::to_string(int(spread)) + ", dy " +
                           std::to_string(int(dy));
  gradus::Tensor x = gradus::normal({n, vocab}, {.seed = 3}, 0, spread);
  gradus::IndexTensor targets({n});
  for (Index i = 0; i < n; ++i) {
    targets.mutable_data()[i] = int(gradus::uniform_index({.seed = 4}, std::uint64_t(i), vocab));
  }
  x.set_requires_grad();
  gradus::backward(gradus::cross_entropy(x, targets) * dy);
  gradus::expect(what + ": the gradient", gradient_of(what, x.detach(), targets, dy), x.grad(),
                 gradus::kResultIsRight);
}

/// A token that cannot come has the logit -inf; the loss and the gradient stay finite.
void ask_impossible() {
  const std::string what = "logits -inf, 0, 0";
  const Scalar inf = std::numeric_limits<Scalar>::infinity();
  Tensor mine = own(gradus::tensor({{-inf, 0, 0}})).set_requires_grad();
  const Tensor loss = cross_entropy_op(mine, indices({1}));
  gradus::must_be_finite(what + ": the loss", loss,
                         "0 times -inf is NaN, in pocket's cross_entropy, too: read the target's "
                         "log-probability from its row");
  gradus::expect(what + ": the loss", gradus::as_library(loss), gradus::scalar(std::log(2.0F)));
  backward(loss);
  gradus::expect(what + ": the gradient", gradus::as_library(mine.grad()),
                 gradus::tensor({{0, -0.5, 0.5}}), gradus::kResultIsRight);
}

}  // namespace

int main() {
  return gradus::run_check([] {
    ask(4, 3, 2, 2);
    ask(2, 7, 2, -5);
    ask(5, 3, 10000, 2);
    ask(128, 3, 2, 2);
    ask_impossible();
  });
}
